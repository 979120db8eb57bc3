import LatchkeyForms
import LatchkeySystem

/// The files that settings are read from: the user's own, and behind it the machine's.
enum ConfigurationFiles {
    private static let machine = "/etc/latchkey/config.json"

    /// What the files say, the user's first; or what the one that is named says alone.
    static func values(
        named path: String?, in environment: ProcessEnvironment
    ) throws(ToolFailure) -> SettingValues {
        if let path { return try values(of: path, mustExist: true) }
        var values = SettingValues()
        // Without a home folder there is no file of the user's.
        if let folder = try? UserFolder.configuration.path(in: environment) {
            values = try self.values(of: folder + "/config.json", mustExist: false)
        }
        return values.over(try self.values(of: machine, mustExist: false))
    }

    private static func values(of path: String, mustExist: Bool) throws(ToolFailure) -> SettingValues {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try GivenFiles.bytes(path, limit: ObjectReader.maximumBytes)
        } catch .notFound where !mustExist {
            return SettingValues()
        } catch {
            throw ToolFailure(reading: path, error)
        }
        do throws(FormDescriptionError) {
            return try SettingValues(json: bytes, file: path)
        } catch {
            throw ToolFailure("configuration_refused", error)
        }
    }
}

extension ToolFailure {
    /// A description or a configuration that is refused: where, and why.
    init(_ code: String, _ error: FormDescriptionError) {
        self.init(
            .configuration, code,
            [
                "file": .text(error.file), "line": .integer(error.place.line), "column": .integer(error.place.column),
            ])
        problem = error.problem
    }
}
