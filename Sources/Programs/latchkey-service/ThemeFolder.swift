import LatchkeyCommandLine
import LatchkeySystem
import LatchkeyWeb

/// The folder of a theme (`--theme`), which is read once at start.
enum ThemeFolder {
    /// Reads the files of a theme. Other files are ignored.
    ///
    /// - Throws: status 64, 65, 66 or 77 if a file cannot be read, is too long, can be changed by other users or does
    ///   not match its name, or if there are no files of a theme.
    static func theme(in path: String) throws(ToolFailure) -> WebTheme {
        let names: Set<String>
        do throws(FileError) {
            names = Set(try FolderNames.all(in: path).compactMap { String(validating: $0, as: UTF8.self) })
        } catch {
            throw .reading(path, error)
        }
        var theme = WebTheme()
        let files = WebTheme.File.allCases.filter { names.contains($0.rawValue) }
        guard !files.isEmpty else {
            let known = WebTheme.File.allCases.map(\.rawValue).joined(separator: ", ")
            throw .themeEmpty(path: path, known: known)
        }
        for file in files {
            let name = path + "/" + file.rawValue
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try InputFiles.bytes(name, limit: WebTheme.maximumBytes, takesPipes: false)
            } catch {
                throw .reading(name, error)
            }
            guard theme.add(bytes, as: file) else {
                throw .badValue(name, .theme(maximum: WebTheme.maximumBytes / 1024))
            }
        }
        return theme
    }
}
