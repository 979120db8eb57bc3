import Glibc

/// A path, split into a folder and a file name.
package struct FilePlace: Equatable, Sendable {
    /// The folder; `.` if the path has none.
    package let folder: String
    /// The name without its folder.
    package let name: String

    /// Splits `path` at its last slash.
    package init(_ path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Resolves a path that this file contains. Relative paths are relative to the file's folder.
    package func path(of path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") || folder == "." { return path }
        return folder == "/" ? "/" + path : folder + "/" + path
    }
}

/// Lists the contents of folders.
public enum FolderNames {
    /// The names in the folder at `path` as bytes, unordered, including `.` and `..`.
    public static func all(in path: String) throws(FileError) -> [[UInt8]] {
        guard let folder = unsafe opendir(path) else { throw .current }
        defer { _ = unsafe closedir(folder) }
        return unsafe all(in: folder)
    }

    /// Lists the names in an open folder, starting at its current position.
    static func all(in folder: OpaquePointer) -> [[UInt8]] {
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(folder) {
            // The name is read in place up to its NUL, because copying the 256-byte field would read past the last
            // entry.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            names.append(name)
        }
        return names
    }
}
