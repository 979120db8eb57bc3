import Foundation
import Testing

/// The initial files of many tests' sandboxes. Copying them is much cheaper than running the commands again.
struct StoreTemplate {
    /// The account ada.
    static let ada = Result { try StoreTemplate { try $0.create("ada") } }

    private struct Entry {
        let path: String
        let mode: Int
        /// Nil for a folder.
        let bytes: Data?
    }

    /// The entries, with each folder before its content.
    private let entries: [Entry]

    /// Runs `prepare` in an empty sandbox.
    init(_ prepare: (Sandbox) throws -> Void) throws {
        let sandbox = try Sandbox()
        try prepare(sandbox)
        let folder = sandbox.folder
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        entries = try paths.map { path in
            let file = folder.appending(path: path)
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            let mode = try #require(attributes[.posixPermissions] as? Int)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            return Entry(path: path, mode: mode, bytes: isFolder ? nil : try Data(contentsOf: file))
        }
    }

    /// Copies the files to an empty sandbox.
    func copy(to sandbox: Sandbox) throws {
        let folder = sandbox.folder
        for entry in entries {
            let path = folder.appending(path: entry.path).path
            if let bytes = entry.bytes {
                try bytes.write(to: URL(filePath: path))
            } else {
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }
            try FileManager.default.setAttributes([.posixPermissions: entry.mode], ofItemAtPath: path)
        }
    }
}
