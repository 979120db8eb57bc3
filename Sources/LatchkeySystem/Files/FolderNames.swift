import Glibc

/// What lies in a folder.
public enum FolderNames {
    /// The names in the folder at `path`, in no order, `.` and `..` among them, as the bytes that they are.
    public static func all(in path: String) throws(FileError) -> [[UInt8]] {
        guard let folder = unsafe opendir(path) else { throw .current }
        defer { _ = unsafe closedir(folder) }
        return unsafe all(in: folder)
    }

    /// The same, of a folder that is open, from where it has been read to.
    static func all(in folder: OpaquePointer) -> [[UInt8]] {
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(folder) {
            // In its place and up to the NUL: a copy of the field, 256 bytes long, would reach behind the last entry.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            names.append(name)
        }
        return names
    }
}
