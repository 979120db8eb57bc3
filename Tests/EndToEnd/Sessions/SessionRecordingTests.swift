import Foundation
import Glibc
import TestSupport
import Testing

/// Sessions that the binary records and replays.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct SessionRecordingTests {
    private static let folder = Fixture.folder.appending(path: "sessions")

    /// `SessionFixtureTests` replays them.
    @Test(.enabled(if: Golden.isRecording), arguments: RecordedSession.all)
    func `the sessions of the fixtures can be recorded again`(session: RecordedSession) async throws {
        let file = Self.folder.appending(path: session.name + ".jsonl")
        try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
        try? FileManager.default.removeItem(at: file)
        try await session.record(into: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        Issue.record("recorded \(file.lastPathComponent): look at its diff")
    }

    /// Records, reads and replays a session with the binary, and finds a difference.
    @Test func `a session is recorded without its secrets, and replays the same`() async throws {
        let sandbox = try Sandbox()
        let file = sandbox.folder.appending(path: "session.jsonl")
        let session = try #require(RecordedSession.all.first { $0.name == "login-wrong-password" })
        try await session.record(into: file)
        var status = stat()
        #expect(unsafe lstat(file.path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        let recording = try Data(contentsOf: file)
        for canary in RecordedSession.canaries { #expect(!Canary(secret: canary).isIn(recording), "\(canary)") }
        var replay = try sandbox.latchkey("replay", "session.jsonl")
        #expect(replay.status == 0, "\(replay.stderr)")
        #expect(replay.stdout.hasPrefix("session.jsonl replays as recorded: "))
        // It created no store and no other file.
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path) == ["session.jsonl"])
        replay = try sandbox.latchkey("replay", "session.jsonl", "--json")
        #expect(try replay.json()["frames"] as? Int ?? 0 > 5)

        let text = String(decoding: recording, as: UTF8.self)
        let place = try #require(text.firstRange(of: #"["error","Wrong username or password"]"#))
        let line = text[..<place.lowerBound].split(separator: "\n").count
        let edited = text.replacingOccurrences(of: "Wrong username or password", with: "Right username", range: place)
        try Data(edited.utf8).write(to: sandbox.folder.appending(path: "edited.jsonl"))
        replay = try sandbox.latchkey("replay", "edited.jsonl")
        #expect(replay.status == 1)
        #expect(replay.stderr.hasPrefix("latchkey: edited.jsonl, line \(line): does not replay"))
        #expect(replay.stdout.contains(#"- [["wrong"#) || replay.stdout.contains("Right username"))
        #expect(try sandbox.latchkey("replay", "edited.jsonl", "--json").json()["line"] as? Int == line)

        try recording.dropLast(20).write(to: sandbox.folder.appending(path: "cut.jsonl"))
        replay = try sandbox.latchkey("replay", "cut.jsonl")
        let count = text.split(separator: "\n").count
        #expect(replay.status == 65)
        #expect(replay.stderr == "latchkey: cut.jsonl, line \(count): the line is incomplete\n")
    }

    @Test func `a replay draws the last screen, or another one`() throws {
        let sandbox = try Sandbox()
        let path = sandbox.folder.appending(path: "login.jsonl").path
        try FileManager.default.copyItem(atPath: Self.folder.appending(path: "login.jsonl").path, toPath: path)
        let picture = sandbox.folder.appending(path: "login.svg")
        #expect(try sandbox.latchkey("replay", path, "--svg", picture.path).status == 0)
        let last = try String(contentsOf: picture, encoding: .utf8)
        #expect(last.hasPrefix("<svg ") && last.hasSuffix("</svg>\n") && last.contains("Log in"))
        #expect(try sandbox.latchkey("replay", path, "--svg", picture.path, "--frame", "1").status == 0)
        #expect(try String(contentsOf: picture, encoding: .utf8) != last)
        #expect(try sandbox.latchkey("replay", path, "--svg", picture.path, "--frame", "100000").status == 64)
        #expect(try sandbox.latchkey("replay", path, "--frame", "1").status == 64)
        #expect(try sandbox.latchkey("replay", path, "--svg", path).status == 73)
    }

    @Test func `the recording of a killed session replays up to its end, also step by step`() async throws {
        let sandbox = try Sandbox()
        let path = sandbox.folder.appending(path: "killed.jsonl").path
        var session = try PtySession(
            Sandbox.binary.path, ["--record", path], environment: sandbox.environment)
        try await session.expect("Create your account")
        session.send("ada@example.org")
        try await session.expect("ada@example.org")
        session.send(signal: SIGKILL)
        #expect(try await session.waitForExit() == .signal(SIGKILL))
        #expect(try sandbox.latchkey("replay", path).status == 0)
        for speed in ["50", "0"] {
            session = try PtySession(
                Sandbox.binary.path, ["replay", path, "--speed", speed], environment: sandbox.environment)
            try await session.expect("ada@example.org")
            #expect(try await session.waitForExit() == .status(0))
        }
        session = try PtySession(
            Sandbox.binary.path, ["replay", path, "--step"], environment: sandbox.environment)
        try await session.expect("Create your account")
        session.send(" ")
        try await session.expect("ada@example.org")
        try await session.expect("replays as recorded")
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored)
    }

    @Test func `a line that does not fit on the disk is left out, and the rest replays the same`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let path = sandbox.folder.appending(path: "full.jsonl").path
        // More than the size of the store, to which this limit applies too.
        let limit = 256 * 1024
        let session = try PtySession(
            "/bin/sh",
            ["-c", "ulimit -f \(limit / 512); exec '\(Sandbox.binary.path)' login -q --record '\(path)'"],
            environment: sandbox.environment)
        try await session.expect("Log in")
        for key in 0..<600 { session.send(key.isMultiple(of: 2) ? "x" : "\u{7F}") }
        session.send("\u{1B}")
        try await session.expect("full.jsonl could not be written completely")
        #expect(try await session.waitForExit() == .status(1))
        let recording = try Data(contentsOf: sandbox.folder.appending(path: "full.jsonl"))
        #expect(recording.count <= limit && recording.last == UInt8(ascii: "\n"))
        #expect(try sandbox.latchkey("replay", "full.jsonl").status == 0)
    }

    @Test(arguments: [("\u{3}", PtySession.Exit.signal(SIGINT)), ("\u{1B}", .status(1))])
    func `a key ends a replay`(key: String, exit: PtySession.Exit) async throws {
        let sandbox = try Sandbox()
        let path = sandbox.folder.appending(path: "login.jsonl").path
        try FileManager.default.copyItem(atPath: Self.folder.appending(path: "login.jsonl").path, toPath: path)
        for manner in [["--speed", "0.001"], ["--step"]] {
            let session = try PtySession(
                Sandbox.binary.path, ["replay", path] + manner, environment: sandbox.environment)
            try await session.expect("Esc: cancel")
            session.send(key)
            #expect(try await session.waitForExit() == exit)
            #expect(session.isRestored)
            #expect(!session.screen().text.contains("Esc: cancel"), "what was drawn is gone")
        }
    }

    @Test func `a recording overwrites nothing, follows no link, and refuses unsafe folders`() async throws {
        let sandbox = try Sandbox()
        let files = FileManager.default
        try Data("mine\n".utf8).write(to: sandbox.folder.appending(path: "there.jsonl"))
        try files.createSymbolicLink(
            atPath: sandbox.folder.appending(path: "link.jsonl").path, withDestinationPath: "elsewhere.jsonl")
        try files.createDirectory(
            at: sandbox.folder.appending(path: "open"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o777])
        _ = unsafe chmod(sandbox.folder.appending(path: "open").path, 0o777)
        let cases: [(file: String, said: String, status: Int32)] = [
            ("there.jsonl", "already exists", 73), ("link.jsonl", "already exists", 73),
            ("open/new.jsonl", "would be in a folder that other users can change", 77),
            ("none/new.jsonl", "none/new.jsonl", 73), ("-", "--record needs a path", 64),
        ]
        for (file, said, status) in cases {
            let path = file == "-" ? file : sandbox.folder.appending(path: file).path
            let session = try PtySession(
                Sandbox.binary.path, ["--record", path], environment: sandbox.environment)
            try await session.expect(said)
            #expect(try await session.waitForExit() == .status(status))
        }
        #expect(try String(contentsOf: sandbox.folder.appending(path: "there.jsonl"), encoding: .utf8) == "mine\n")
        #expect(!files.fileExists(atPath: sandbox.folder.appending(path: "elsewhere.jsonl").path))
    }

    @Test func `recording without prompts is refused`() throws {
        let sandbox = try Sandbox()
        for arguments in [
            ["login", "--username", "ada", "--password-stdin"], ["profile", "--username", "eve"],
            ["login", "--batch", "-"],
        ] {
            let ending = try sandbox.latchkey(arguments + ["--record", "new.jsonl"], input: Data("x\n".utf8))
            #expect(ending.status == 64, "\(arguments): \(ending.stderr)")
            #expect(ending.stderr.contains("--record"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).isEmpty)
        for arguments in [["--speed", "fast"], ["--speed", "-1"], ["--speed", "2", "--step"], ["--step"]] {
            try Data("{}\n".utf8).write(to: sandbox.folder.appending(path: "x.jsonl"))
            let ending = try sandbox.latchkey(["replay", "x.jsonl"] + arguments)
            #expect(ending.status == 64 || ending.status == 65, "\(arguments): \(ending.stderr)")
        }
    }
}
