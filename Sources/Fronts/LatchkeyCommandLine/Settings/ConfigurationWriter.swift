import Glibc
import LatchkeyForms
import LatchkeySystem

/// Writes settings to the current configuration file and preserves its other keys.
struct ConfigurationWriter {
    let path: String
    /// The languages to choose from if the file names no folder.
    private let languages: LanguageFolder
    private let environment: ProcessEnvironment

    /// Uses the file given with `--config`, otherwise the user's file. For root, uses the machine's file if it exists,
    /// because the service does not read root's own file. Creates a missing file.
    init(_ context: CommandContext) throws(ToolFailure) {
        (languages, environment) = (context.settings.languages, context.environment)
        if let given = context.settings.values.text(.config) {
            path = given
        } else if geteuid() == 0, unsafe access(ConfigurationFiles.machine, F_OK) == 0 {
            path = ConfigurationFiles.machine
        } else {
            path = try UserFolder.configuration.path(in: context.environment) + "/config.json"
        }
    }

    /// Whether the file has the key.
    func has(_ key: String) throws(ToolFailure) -> Bool {
        unsafe access(path, F_OK) == 0 ? try members().value(of: key) != nil : false
    }

    /// Sets or removes the keys. An existing dotted key stays dotted. Other keys are added to the object of their group.
    ///
    /// - Parameter values: the new values by key; nil removes a key.
    /// - Returns: the old value of the first key; nil if the file does not have it.
    /// - Throws: status 78 if the file would have a problem that it does not have now. It stays as it is.
    @discardableResult
    func write(_ values: [(key: String, value: JSONValue?)]) throws(ToolFailure) -> JSONValue? {
        let place = FilePlace(path)
        let (folder, exists): (GuardedFolder, Bool)
        var (mode, group) = (UInt32(0o600), UInt32?.none)
        do throws(FileError) {
            folder = try GuardedFolder(making: place.folder)
            exists = try folder.contains(place.name)
            if exists {
                // Users who can read the file, such as the service's, can still read it.
                (mode, group) = (try folder.mode(of: place.name) & 0o644, try folder.group(of: place.name))
            }
        } catch {
            throw .configurationUnwritten(name: path)
        }
        var settings = exists ? try members() : []
        let old = values.first.flatMap { settings.value(of: $0.key) }
        let before = JSONValue.object(settings).encoded
        for (key, value) in values { settings.set(value, for: key) }
        guard JSONValue.object(settings).encoded != before else { return old }
        let text = Array((JSONValue.object(settings).indented + "\n").utf8)
        if let problem = newProblem(of: text) { throw problem }
        do throws(FileError) {
            try folder.replace(place.name, with: text.span, mode: mode, group: group)
        } catch {
            throw .configurationUnwritten(name: path)
        }
        return old
    }

    /// The first problem of a file with this text that the file does not have now; nil if there is none.
    private func newProblem(of text: [UInt8]) -> ToolFailure? {
        let (now, then) = (
            problems(of: (try? InputFiles.bytes(path, limit: ObjectReader.maximumBytes)) ?? []), problems(of: text)
        )
        guard then.count > now.count else { return nil }
        let known = now.map { $0.sentence(Translation.english.allMessages) }
        return then.first { !known.contains($0.sentence(Translation.english.allMessages)) } ?? then.last
    }

    private func problems(of text: [UInt8]) -> [ToolFailure] {
        guard !text.isEmpty else { return [] }
        var problems: [Settings.Problem] = []
        let values = SettingValues(json: text, file: path, problems: &problems)
        var failures = problems.map(\.failure)
        do throws(ToolFailure) { _ = try HashSettings.hasher(values) } catch { failures.append(error) }
        do throws(ToolFailure) {
            _ = try values.language(of: values.languageFolder() ?? languages, environment, nil)
        } catch { failures.append(error) }
        return failures
    }

    /// The members of the file.
    private func members() throws(ToolFailure) -> [(key: String, value: JSONValue)] {
        let bytes = try InputFiles.contents(of: path, limit: ObjectReader.maximumBytes)
        guard let node = try? JSONReader.read(bytes), case .object(let members) = node.value else {
            throw problems(of: bytes).first ?? .configurationUnwritten(name: path)
        }
        return members
    }
}

extension [(key: String, value: JSONValue)] {
    fileprivate func value(of key: String) -> JSONValue? {
        if let value = first(where: { $0.key == key })?.value { return value }
        guard let (group, member) = Setting.nested(key),
            case .object(let found) = first(where: { $0.key == group })?.value
        else { return nil }
        return found.first { $0.key == member }?.value
    }

    fileprivate mutating func set(_ value: JSONValue?, for key: String) {
        guard let (group, member) = Setting.nested(key), !contains(where: { $0.key == key }) else {
            return set(key, to: value)
        }
        var members: [(key: String, value: JSONValue)] = []
        if case .object(let found) = first(where: { $0.key == group })?.value { members = found }
        members.set(member, to: value)
        set(group, to: members.isEmpty ? nil : .object(members))
    }

    private mutating func set(_ key: String, to value: JSONValue?) {
        guard let value else { return removeAll { $0.key == key } }
        if let index = firstIndex(where: { $0.key == key }) { self[index].value = value } else { append((key, value)) }
    }
}

extension JSONValue {
    /// The value in readable form, with one member per line.
    fileprivate var indented: String {
        guard case .object(let members) = self, !members.isEmpty else { return encoded }
        let lines = members.map { key, value in
            let inner = value.indented.split(separator: "\n", omittingEmptySubsequences: false).joined(
                separator: "\n  ")
            return "  \(JSONValue.string(key).encoded): \(inner)"
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n}"
    }
}
