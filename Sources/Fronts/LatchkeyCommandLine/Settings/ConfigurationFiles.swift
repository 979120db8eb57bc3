import LatchkeyForms
import LatchkeySystem

/// The files from which settings are read: first the user's file, then the machine's.
enum ConfigurationFiles {
    static let machine = "/etc/latchkey/config.json"

    /// A configuration file, and whether its absence is an error.
    struct File {
        let path: String
        let mustExist: Bool
    }

    /// Only the file at `path`. If `path` is nil, the user's file and then the machine's, in order of precedence.
    static func named(_ path: String?, in environment: ProcessEnvironment) -> [File] {
        if let path { return [File(path: path, mustExist: true)] }
        // If there is no home folder, the user has no file.
        let user = try? UserFolder.configuration.path(in: environment)
        return ((user.map { [$0 + "/config.json"] } ?? []) + [machine]).map { File(path: $0, mustExist: false) }
    }

    /// The settings in a file; empty if an optional file does not exist.
    ///
    /// - Parameter problems: receives the refused keys.
    static func values(of file: File, problems: inout [Settings.Problem]) -> SettingValues {
        do throws(FileError) {
            let bytes = try InputFiles.bytes(file.path, limit: ObjectReader.maximumBytes)
            return SettingValues(json: bytes, file: file.path, problems: &problems)
        } catch .notFound where !file.mustExist {
        } catch {
            problems.append(Settings.Problem(place: file.path, failure: .reading(file.path, error)))
        }
        return SettingValues()
    }
}

extension ObjectReader {
    /// Reads a configuration. A member of a group may be nested (`{"hash": {"memory": 65536}}`) or dotted
    /// (`{"hash.memory": 65536}`), but not both. The reader contains it in dotted form.
    ///
    /// - Parameter errors: receives the refused groups and members, which are left out.
    init(configuration bytes: [UInt8], file: String, errors: inout [FormDescriptionError]) throws(ToolFailure) {
        let root: ObjectReader
        do throws(FormDescriptionError) {
            root = try ObjectReader(reading: bytes, named: "configuration", in: file)
        } catch {
            throw .configurationRefused(error)
        }
        let groups = Set(
            Setting.all.compactMap { $0.nested?.group } + [String(SettingValues.sentencePrefix.dropLast())])
        let dotted = Dictionary(root.members.map { ($0.key, $0.value.place) }, uniquingKeysWith: { $1 })
        var members: [JSONNode.Member] = []
        for member in root.members {
            guard groups.contains(member.key) else {
                members.append(member)
                continue
            }
            guard case .object(let nested) = member.value.content else {
                errors.append(root.error(.wrongType(member.key, expected: "object"), at: member.value.place))
                continue
            }
            for inner in nested {
                let key = member.key + "." + inner.key
                guard dotted[key] == nil else {
                    let values: [String: RuleFailure.Value] = ["key": .text(key), "group": .text(member.key)]
                    errors.append(root.error(.init("tool.setting_twice", values), at: dotted[key]))
                    continue
                }
                members.append(JSONNode.Member(key: key, keyPlace: inner.keyPlace, value: inner.value))
            }
        }
        self.init(members, at: root.place, in: file)
    }

    /// The error for a member that is not the name of a setting.
    func unknown(_ member: JSONNode.Member) -> FormDescriptionError {
        let similar = Setting.similar(to: member.key)
        guard !similar.isEmpty else {
            return error(.unknownKey(member.key, allowed: Setting.keysInFiles + ["messages"]), at: member.keyPlace)
        }
        let values: [String: RuleFailure.Value] = [
            "key": .text(member.key), "nearest": .text(Setting.quoted(similar)),
        ]
        return error(.init("tool.setting_unknown", values), at: member.keyPlace)
    }
}

extension TextPlace {
    func isBefore(_ other: TextPlace) -> Bool { (line, column) < (other.line, other.column) }
}
