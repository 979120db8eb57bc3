import LatchkeyForms
import LatchkeySystem

/// The files that settings are read from: the user's own, and behind it the machine's.
enum ConfigurationFiles {
    static let machine = "/etc/latchkey/config.json"

    /// A file, and whether it has to be there.
    struct Named {
        let path: String
        let mustExist: Bool
    }

    /// The user's file and the machine's, the stronger first; or the one that is named, alone.
    static func named(_ path: String?, in environment: ProcessEnvironment) -> [Named] {
        if let path { return [Named(path: path, mustExist: true)] }
        // Without a home folder there is no file of the user's.
        let user = try? UserFolder.configuration.path(in: environment)
        return ((user.map { [$0 + "/config.json"] } ?? []) + [machine]).map { Named(path: $0, mustExist: false) }
    }

    /// What a file says; nil where it is not there, and need not be.
    static func values(of file: Named) throws(ToolFailure) -> SettingValues? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try GivenFiles.bytes(file.path, limit: ObjectReader.maximumBytes)
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
