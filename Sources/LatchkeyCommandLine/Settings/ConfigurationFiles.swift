import LatchkeyForms
import LatchkeySystem

/// The files that settings are read from: the user's, and then the machine's.
enum ConfigurationFiles {
    static let machine = "/etc/latchkey/config.json"

    /// A configuration file, and whether it is an error if it does not exist.
    struct File {
        let path: String
        let mustExist: Bool
    }

    /// The named file alone; without a name, the user's file and the machine's, the stronger first.
    static func named(_ path: String?, in environment: ProcessEnvironment) -> [File] {
        if let path { return [File(path: path, mustExist: true)] }
        // Without a home folder the user has no file.
        let user = try? UserFolder.configuration.path(in: environment)
        return ((user.map { [$0 + "/config.json"] } ?? []) + [machine]).map { File(path: $0, mustExist: false) }
    }

    /// The settings in a file; nil if it does not exist and need not.
    static func values(of file: File) throws(ToolFailure) -> SettingValues? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try InputFiles.bytes(file.path, limit: ObjectReader.maximumBytes)
        } catch .notFound where !file.mustExist {
            return nil
        } catch {
            throw .reading(file.path, error)
        }
        do throws(FormDescriptionError) {
            return try SettingValues(json: bytes, file: file.path)
        } catch {
            throw .configurationRefused(error)
        }
    }
}
