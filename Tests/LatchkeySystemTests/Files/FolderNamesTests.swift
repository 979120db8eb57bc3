import Foundation
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FolderNamesTests {
    /// So many names that the system returns them in several chunks, the last of which ends exactly at the end of its
    /// buffer.
    @Test func `a folder lists every name, however many there are`() throws {
        let folder = try TemporaryFolder()
        var names = Set((0..<3000).map { "\($0).json" })
        names.insert(String(repeating: "n", count: 255))
        for name in names { #expect(FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil)) }
        let found = try FolderNames.all(in: folder.path)
        #expect(found.count == names.count + 2)
        #expect(Set(found.map { String(decoding: $0, as: UTF8.self) }) == names.union([".", ".."]))
    }

    @Test func `listing anything but a folder fails`() throws {
        #expect(throws: FileError.self) { try FolderNames.all(in: "/nonexistent") }
    }
}
