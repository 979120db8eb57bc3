import Foundation
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct GivenFileTests {
    let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func text(of file: GivenFile, limit: Int = 100) throws -> String {
        try file.readSecret(limit: limit).withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
    }

    /// Runs `body` on a separate thread, because opening a pipe for writing blocks.
    private func later(_ body: @escaping @Sendable () -> Void) { Thread { body() }.start() }

    /// S-91.
    @Test func `a file is read completely, even through a link`() throws {
        try temporary.write("hunter2\n".utf8, to: "secret")
        try temporary.link("..data", to: "secret")
        for name in ["secret", "..data"] {
            let file = try GivenFile(at: temporary.path(of: name))
            #expect(!file.isReadableByOthers)
            #expect(try text(of: file) == "hunter2\n")
        }
    }

    /// S-91.
    @Test(arguments: [(mode_t(0o400), false), (0o440, true), (0o404, true), (0o644, true), (0o711, false)])
    func `a file that other users can read is accepted with a warning flag`(mode: mode_t, isReadable: Bool) throws {
        let file = try GivenFile(at: temporary.write("x".utf8, to: "secret", mode: mode))
        #expect(file.isReadableByOthers == isReadable)
        #expect(try text(of: file) == "x")
    }

    /// S-91.
    @Test(arguments: [mode_t(0o620), 0o602, 0o666])
    func `a file that other users can write to is refused`(mode: mode_t) throws {
        let path = try temporary.write("x".utf8, to: "secret", mode: mode)
        #expect(throws: FileError.exposed(path: path)) { try GivenFile(at: path) }
    }

    /// S-91, S-117.
    @Test func `each reason why a file cannot be read has its own error`() throws {
        #expect(throws: FileError.notFound) { try GivenFile(at: temporary.path(of: "nothing")) }
        #expect(throws: FileError.notRegular) { try GivenFile(at: temporary.path) }
        #expect(throws: FileError.notRegular) { try GivenFile(at: "/dev/zero") }
        #expect(throws: FileError.notRegular) { try GivenFile(at: "/dev/null") }
        #expect(throws: FileError.system(code: EINVAL)) { try GivenFile(at: temporary.path(of: "a\0b")) }
        try temporary.write("four".utf8, to: "secret")
        #expect(throws: FileError.tooLarge(limit: 3)) {
            _ = try GivenFile(at: temporary.path(of: "secret")).readSecret(limit: 3).count
        }
        #expect(try text(of: GivenFile(at: temporary.path(of: "secret")), limit: 4) == "four")
    }

    /// S-91.
    @Test func `a pipe without a writer times out`() throws {
        let path = try temporary.makePipe("pipe")
        let file = try GivenFile(at: path, patience: .milliseconds(30))
        #expect(throws: FileError.silent) { _ = try file.readSecret(limit: 10).count }
    }

    @Test func `a pipe is read until its writer closes it, even after a late start`() throws {
        let path = try temporary.makePipe("pipe")
        let file = try GivenFile(at: path, patience: .seconds(600))
        later {
            let pipe = unsafe open(path, O_WRONLY)
            for piece in ["hun", "ter", "2"] {
                _ = unsafe piece.withCString { unsafe write(pipe, $0, strlen($0)) }
                sched_yield()
            }
            close(pipe)
        }
        #expect(try text(of: file) == "hunter2")
    }

    @Test func `a writer that closes the pipe without writing anything ends the wait`() throws {
        let path = try temporary.makePipe("pipe")
        let file = try GivenFile(at: path, patience: .seconds(600))
        later { _ = close(unsafe open(path, O_WRONLY)) }
        #expect(try text(of: file) == "")
    }

    @Test func `an endless pipe is refused at the limit`() throws {
        let path = try temporary.makePipe("pipe")
        signal(SIGPIPE, SIG_IGN)
        let file = try GivenFile(at: path, patience: .seconds(600))
        later {
            let pipe = unsafe open(path, O_WRONLY)
            while unsafe write(pipe, "endless", 7) > 0 {}
            close(pipe)
        }
        #expect(throws: FileError.tooLarge(limit: 100)) { _ = try file.readSecret(limit: 100).count }
    }

    @Test func `an inherited descriptor is read, but not closed`() throws {
        var ends: [Int32] = [0, 0]
        _ = unsafe pipe(&ends)
        _ = unsafe write(ends[1], "hunter2", 7)
        close(ends[1])
        let file = try GivenFile(inherited: ends[0])
        #expect(try text(of: file) == "hunter2")
        #expect(close(ends[0]) == 0)
        #expect(throws: FileError.system(code: EBADF)) { try GivenFile(inherited: 9999) }
    }

    @Test func `a long file is read in chunks`() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = try GivenFile(at: temporary.write(bytes, to: "import"))
        var piece = [UInt8](repeating: 0, count: 4096)
        var read: [UInt8] = []
        while true {
            var span = piece.mutableSpan
            let count = try file.read(into: &span)
            guard count > 0 else { break }
            read += piece[..<count]
        }
        #expect(read == bytes)
    }
}
