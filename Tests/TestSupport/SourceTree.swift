import Foundation

/// The source files of this build.
public enum SourceTree {
    /// - Parameter path: relative to the package, such as `Forms/login.json`.
    public static func contents(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: self.path(of: path))))
    }

    /// Every file below a folder, in order.
    public static func files(below folder: String) -> [String] {
        let files = FileManager.default.enumerator(atPath: path(of: folder))?.compactMap { $0 as? String } ?? []
        return files.sorted().map { folder + "/" + $0 }
    }

    /// - Parameter path: relative to the package.
    public static func path(of path: String) -> String {
        let root = Fixture.folder.deletingLastPathComponent().deletingLastPathComponent()
        return root.appending(path: path).path
    }
}
