import Foundation
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct GrowingFileTests {
    @Test func `a new file has mode 0600, and each writer appends to its end`() throws {
        let folder = try TemporaryFolder()
        let place = try GuardedFolder(at: folder.path)
        let first = try GrowingFile("log", in: place)
        let second = try GrowingFile("log", in: place)
        for (file, text) in [(first, "one\n"), (second, "two\n"), (first, "three\n")] {
            try file.append(Array(text.utf8).span)
        }
        #expect(folder.mode(of: "log") == 0o600)
        #expect(try folder.read("log") == Data("one\ntwo\nthree\n".utf8))
        #expect(try second.size == 14)
        #expect(try second.read(at: 4, limit: 3) == Array("two".utf8))
        #expect(try second.read(at: 14, limit: 3) == [])
    }

    @Test(arguments: [0o640, 0o604, 0o622] as [mode_t])
    func `a file that other users can read or change is refused`(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        try folder.write("one\n".utf8, to: "log", mode: mode)
        let place = try GuardedFolder(at: folder.path)
        #expect(throws: FileError.self) { try GrowingFile("log", in: place) }
        #expect(try folder.read("log") == Data("one\n".utf8))
    }

    @Test func `anything but a regular file is refused`() throws {
        let folder = try TemporaryFolder()
        try folder.makePipe("pipe")
        try folder.link("link", to: "elsewhere")
        try folder.makeFolder("folder")
        let place = try GuardedFolder(at: folder.path)
        for name in ["pipe", "link", "folder"] {
            #expect(throws: FileError.self) { try GrowingFile(name, in: place) }
        }
        #expect(try folder.names == ["folder", "link", "pipe"])
    }
}
