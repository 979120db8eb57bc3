import Foundation

/// The files of the sources this was built from.
public enum SourceTree {
    /// - Parameter path: from the folder of the package, such as `Forms/login.json`.
    public static func contents(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: self.path(of: path))))
    }

    /// - Parameter path: from the folder of the package.
    public static func path(of path: String) -> String {
        let root = Fixture.folder.deletingLastPathComponent().deletingLastPathComponent()
        return root.appending(path: path).path
    }
}
