import Glibc
import LatchkeyForms
import LatchkeySystem

/// Writes settings into the configuration file that is in force, and leaves every other key in it as it is.
struct ConfigurationWriter {
    private let path: String

    /// The file that `--config` names; else the user's own, which is made where there is none.
    init(_ context: CommandContext) throws(ToolFailure) {
        if let given = context.settings.values.config {
            path = given
        } else {
            path = try UserFolder.configuration.path(in: context.environment) + "/config.json"
        }
    }

    /// Puts `values` into the object `hash`.
    func write(_ values: [(key: String, value: Int)]) throws(ToolFailure) {
        let place = FilePlace(path)
        do throws(FileError) {
            let folder = try GuardedFolder(making: place.folder)
            var settings: [(key: String, value: JSONValue)] = []
            var mode = UInt32(0o600)
            if try folder.contains(place.name) {
                // What others may read they still may: it holds no secret.
                (settings, mode) = (try members(), try folder.mode(of: place.name) & 0o644)
            }
            var hash: [(key: String, value: JSONValue)] = []
            if case .object(let members) = settings.first(where: { $0.key == "hash" })?.value { hash = members }
            for (key, value) in values { hash.set(key, to: .integer(value)) }
            settings.set("hash", to: .object(hash))
            let text = Array((JSONValue.object(settings).indented + "\n").utf8)
            try folder.replace(place.name, with: text.span, mode: mode)
        } catch {
            throw .configurationUnwritten(name: path)
        }
    }

    /// It has been read as the configuration before, and is sound.
    private func members() throws(FileError) -> [(key: String, value: JSONValue)] {
        let bytes = try GivenFiles.bytes(path, limit: ObjectReader.maximumBytes)
        guard let node = try? JSONReader.read(bytes), case .object(let members) = node.value else {
            throw .system(code: EINVAL)
        }
        return members
    }
}

extension [(key: String, value: JSONValue)] {
    fileprivate mutating func set(_ key: String, to value: JSONValue) {
        if let index = firstIndex(where: { $0.key == key }) { self[index].value = value } else { append((key, value)) }
    }
}

extension JSONValue {
    /// As people write it: a member a line.
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
