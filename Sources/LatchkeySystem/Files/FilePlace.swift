/// A path as the folder that a file lies in and its name there.
public struct FilePlace: Equatable, Sendable {
    /// `.` where the path names none.
    public let folder: String
    public let name: String

    public init(_ path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Where `path` leads that is written in this file: from its folder, unless it is absolute.
    public func path(of path: String) -> String {
        if path.utf8.first == UInt8(ascii: "/") || folder == "." { return path }
        return folder == "/" ? "/" + path : folder + "/" + path
    }
}
