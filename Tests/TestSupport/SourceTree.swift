import Foundation

/// The files of the sources this was built from.
public enum SourceTree {
    /// - Parameter path: from the folder of the package, such as `Forms/login.json`.
    public static func contents(of path: String) throws -> [UInt8] {
        let root = Fixture.folder.deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: path)))
    }
}
