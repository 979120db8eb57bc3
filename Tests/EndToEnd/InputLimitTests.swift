import Foundation
import TestSupport
import Testing

/// Work and memory do not grow with the size of hostile input.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct InputLimitTests {
    /// Runs the binary through Python, which reports a child's peak memory in KiB.
    private func peak(_ sandbox: Sandbox, _ arguments: [String], feeding byteCount: Int) throws -> (Int32, Int) {
        let script = """
            import os, resource, subprocess, sys
            child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            left = int(sys.argv[1])
            try:
                while left > 0:
                    left -= child.stdin.write(b'a' * min(left, 65536))
                child.stdin.close()
            except BrokenPipeError:
                pass
            status = child.wait()
            print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        let ending = try Program(
            path: "/usr/bin/env",
            arguments: ["python3", "-c", script, "\(byteCount)", Sandbox.binary.path] + arguments,
            input: Data(), environment: sandbox.environment, folder: sandbox.folder
        ).run()
        let numbers = ending.stdout.split { " \n".contains($0) }.compactMap { Int($0) }
        try #require(numbers.count == 2, "\(ending.stderr)")
        return (Int32(numbers[0]), numbers[1])
    }

    /// S-118: uses 1 GiB if `LATCHKEY_LONG` is set, otherwise less.
    @Test func `an endless stream does not use up memory`() throws {
        let sandbox = try Sandbox()
        let long = ProcessInfo.processInfo.environment["LATCHKEY_LONG"] != nil
        let setUp = ["setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin"]
        let (shortStatus, short) = try peak(sandbox, setUp, feeding: 3)
        let (longStatus, much) = try peak(sandbox, setUp, feeding: long ? 1 << 30 : 1 << 24)
        #expect(shortStatus == 65)
        #expect(longStatus == 65)
        #expect(much <= short + 8192, "\(much) KiB, and \(short) for three bytes")
    }

    /// S-118: values at the limit and one byte above it, as flags.
    @Test(arguments: [
        (["--username"], 64, "too_long username"), (["--email"], 254, "too_long email"),
    ])
    func `a value at its limit is accepted, and a longer one is refused`(
        flags: [String], cap: Int, why: String
    ) throws {
        let sandbox = try Sandbox()
        for count in [cap, cap + 1] {
            let text =
                flags == ["--email"]
                ? String(repeating: "l", count: 64) + "@" + String(repeating: "d", count: 63) + "."
                    + String(repeating: "d", count: 63) + "." + String(repeating: "e", count: count - 193)
                : String(repeating: "x", count: count)
            let others = flags == ["--email"] ? ["--username", "ada"] : ["--email", "ada@example.org"]
            let ending = try sandbox.latchkey(
                ["setup"] + flags + [text, "--password-stdin"] + others, input: Data("correct horse battery\n".utf8))
            #expect(ending.status == (count == cap ? 0 : 65), "\(why) \(count): \(ending.stderr)")
        }
    }

    /// S-118.
    @Test func `an overlong argument is refused before it is parsed`() throws {
        let sandbox = try Sandbox()
        let fits = try sandbox.latchkey("accounts", "show", String(repeating: "x", count: 65_536))
        let not = try sandbox.latchkey("accounts", "show", String(repeating: "x", count: 65_537), "--json")
        #expect(fits.status == 66)
        #expect(not.status == 64)
        #expect(try not.json()["code"] as? String == "argument_too_long")
    }

    /// S-118.
    @Test func `a configuration or a form above 64 KiB is refused`() throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let shipped = try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Forms/login.json"))
        for (extra, isSound) in [(0, true), (1, false)] {
            let blanks = Data(repeating: 0x20, count: 65_536 + extra - shipped.count)
            try (shipped + blanks).write(to: forms.appending(path: "login.json"))
            #expect(try sandbox.latchkey("forms", "check", forms.path).status == (isSound ? 0 : 78))
            let config = sandbox.folder.appending(path: "config.json")
            try (Data("{}".utf8) + Data(repeating: 0x20, count: 65_534 + extra)).write(to: config)
            let ending = try sandbox.latchkey("forms", "list", "--config", config.path)
            #expect(ending.status == (isSound ? 0 : 78), "\(ending.stderr)")
        }
    }

    /// S-118.
    @Test func `memory does not grow with the number of lines`() throws {
        let sandbox = try Sandbox()
        let line =
            #"{"id":1,"values":{"username":"ada","password":"\u0063orrect horse"}}"#
        func peak(of count: Int) throws -> Int {
            let script = """
                import resource, subprocess, sys
                with open('lines.jsonl', 'w') as lines:
                    lines.write((sys.argv[2] + chr(10)) * int(sys.argv[1]))
                with open('lines.jsonl') as lines, open('answers.jsonl', 'w') as answers:
                    status = subprocess.call(sys.argv[3:], stdin=lines, stdout=answers)
                print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, len(list(open('answers.jsonl'))))
                """
            let ending = try sandbox.run(
                "/usr/bin/env", "python3", "-c", script, "\(count)", line, Sandbox.binary.path, "validate", "--form",
                "login", "--jsonl")
            let numbers = ending.stdout.split { " \n".contains($0) }.compactMap { Int($0) }
            try #require(numbers.count == 3 && numbers[0] == 0 && numbers[2] == count, "\(ending.stderr)")
            return numbers[1]
        }
        let (few, many) = (try peak(of: 2000), try peak(of: 30_000))
        // The program's own memory varies slightly. 28,000 more lines would take 2 MiB, and their verdicts as much
        // again.
        #expect(many <= few + 1536, "\(many) KiB, and \(few) for a fifteenth of the lines")
    }

    /// A random description is accepted, or refused with a position, and the result is repeatable.
    @Test func `checking random descriptions always ends`() throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        var source = try NastyLines(seed: 2)
        for number in 0..<200 {
            try Data(source.description()).write(to: forms.appending(path: "\(number).json"))
        }
        let endings = try (0..<2).map { _ in try sandbox.latchkey("forms", "check", forms.path, "--json") }
        #expect(endings[0].stdout == endings[1].stdout)
        #expect(endings.allSatisfy { $0.status == 78 })
        let errors = try #require(try endings[0].json()["errors"] as? [[String: Any]])
        #expect((20..<200).contains(errors.count))
        for error in errors { #expect((error["code"] as? String)?.hasPrefix("description.") == true) }
    }
}
