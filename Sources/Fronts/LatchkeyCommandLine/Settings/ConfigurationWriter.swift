import Glibc
import LatchkeyForms
import LatchkeySystem

/// Writes settings to the current configuration file and preserves its other keys.
struct ConfigurationWriter {
    private let path: String

    /// Uses the file given with `--config`, otherwise the user's file. Creates it if it does not exist.
    init(_ context: CommandContext) throws(ToolFailure) {
        if let given = context.settings.values.text(.config) {
            path = given
        } else {
            path = try UserFolder.configuration.path(in: context.environment) + "/config.json"
        }
    }

    /// Sets `values`. An existing dotted key stays dotted. Other keys are added to the object of their group.
    func write(_ values: [(setting: Setting, value: Int)]) throws(ToolFailure) {
        let place = FilePlace(path)
        do throws(FileError) {
            let folder = try GuardedFolder(making: place.folder)
            var settings: [(key: String, value: JSONValue)] = []
            var mode = UInt32(0o600)
            if try folder.contains(place.name) {
                // Other users who can read the file keep this permission, because the file contains no secrets.
                (settings, mode) = (try members(), try folder.mode(of: place.name) & 0o644)
            }
            for (setting, value) in values { settings.set(.integer(value), for: setting) }
            let text = Array((JSONValue.object(settings).indented + "\n").utf8)
            try folder.replace(place.name, with: text.span, mode: mode)
        } catch {
            throw .configurationUnwritten(name: path)
        }
    }

    /// Reads the file, which has already been read as a valid configuration.
    private func members() throws(FileError) -> [(key: String, value: JSONValue)] {
        let bytes = try InputFiles.bytes(path, limit: ObjectReader.maximumBytes)
        guard let node = try? JSONReader.read(bytes), case .object(let members) = node.value else {
            throw .system(code: EINVAL)
        }
        return members
    }
}

extension [(key: String, value: JSONValue)] {
    fileprivate mutating func set(_ value: JSONValue, for setting: Setting) {
        guard let (group, member) = setting.nested, !contains(where: { $0.key == setting.key }) else {
            return set(setting.key, to: value)
        }
        var members: [(key: String, value: JSONValue)] = []
        if case .object(let found) = first(where: { $0.key == group })?.value { members = found }
        members.set(member, to: value)
        set(group, to: .object(members))
    }

    private mutating func set(_ key: String, to value: JSONValue) {
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
