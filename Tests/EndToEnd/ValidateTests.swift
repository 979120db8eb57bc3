import Foundation
import TestSupport
import Testing

/// `latchkey validate`, called by other programs.
@Suite(.programs, .timeLimit(.minutes(60))) struct ValidateTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func validate(_ lines: [[UInt8]], _ flags: [String] = []) throws -> Sandbox.Ending {
        try sandbox.latchkey(["validate", "--jsonl"] + flags, input: Data(lines.joined(separator: [0x0A])))
    }

    private func lines(_ ending: Sandbox.Ending) -> [Substring] {
        #expect(ending.status == 0, "\(ending.stderr)")
        #expect(ending.stderr == "")
        #expect(ending.stdout.isEmpty || ending.stdout.hasSuffix("\n"))
        return ending.stdout.split(separator: "\n")
    }

    @Test(arguments: [("rules", []), ("setup", ["--form", "setup"])])
    func `each line gets its verdict, in order, and no line stops the command`(table: String, flags: [String]) throws {
        let rows = try Fixture.rows(of: LineCase.self, in: "validate/\(table).jsonl")
        let answers = lines(try validate(rows.map(\.bytes), flags))
        #expect(answers.count == rows.count)
        for (answer, row) in zip(answers, rows) { #expect(answer == row.answer, "\(row.why)") }
    }

    @Test func `the last line needs no newline, and empty input has no output`() throws {
        let line = Array(#"{"id":1,"rule":"required","args":{},"value":"x"}"#.utf8)
        let answer = #"{"id":1,"valid":true,"messages":[]}"#
        #expect(lines(try validate([line])).map(String.init) == [answer])
        #expect(lines(try validate([line, []])).map(String.init) == [answer])
        #expect(lines(try validate([])).isEmpty)
        #expect(lines(try validate([[], []])).map(String.init) == [#"{"id":null,"error":"bad_request"}"#])
    }

    @Test func `ten thousand lines keep their order`() throws {
        let asked = (0..<10_000).map { number in
            Array(#"{"id":\#(number),"rule":"minLength","args":{"length":4},"value":"\#(number)"}"#.utf8)
        }
        let answers = lines(try validate(asked))
        #expect(answers.count == asked.count)
        for (number, answer) in answers.enumerated() {
            #expect(answer.hasPrefix(#"{"id":\#(number),"valid":\#(number >= 1000)"#))
        }
    }

    @Test func `a line may have one mebibyte, and a longer one is skipped`() throws {
        func line(of count: Int, id: Int) -> [UInt8] {
            let empty = Array(#"{"id":\#(id),"rule":"required","args":{},"value":""}"#.utf8)
            return empty.dropLast(2) + Array(repeating: UInt8(ascii: "x"), count: count - empty.count) + empty.suffix(2)
        }
        let counts = [1_048_576, 1_048_577, 100, 2_097_154, 1_048_578, 65_536, 65_537]
        let answers = lines(try validate(counts.enumerated().map { line(of: $1, id: $0) }))
        #expect(answers.count == counts.count)
        for (index, (count, answer)) in zip(counts, answers).enumerated() {
            let expected =
                count > 1_048_576
                ? #"{"id":null,"error":"bad_request"}"# : #"{"id":\#(index),"valid":true,"messages":[]}"#
            #expect(answer == expected, "\(count) bytes")
        }
    }

    @Test
    func `a program that waits for each verdict gets it immediately`() throws {
        let script = """
            import subprocess, sys
            child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for number in range(200):
                line = '{"id":%d,"rule":"email","args":{},"value":"a@b.example"}\\n' % number
                half = number % len(line)
                child.stdin.write(line[:half].encode())
                child.stdin.flush()
                child.stdin.write(line[half:].encode())
                child.stdin.flush()
                answer = child.stdout.readline().decode()
                if not answer.startswith('{"id":%d,"valid":true' % number):
                    sys.exit('line %d: %r' % (number, answer))
            child.stdin.write(b'{"id":1}\\n{"id":2}\\n{"id":')
            child.stdin.flush()
            if [child.stdout.readline() for _ in range(2)][1] != b'{"id":2,"error":"bad_request"}\\n':
                sys.exit('two lines and a half')
            child.stdin.close()
            if child.stdout.read() != b'{"id":null,"error":"bad_request"}\\n' or child.wait() != 0:
                sys.exit('the end')
            """
        let ending = try sandbox.run(
            "/usr/bin/env", "python3", "-c", script, Sandbox.binary.path, "validate", "--jsonl")
        #expect(ending.status == 0, "\(ending.stderr)")
    }

    @Test func `a closed output ends the command silently`() throws {
        // The caller of the tests may ignore SIGPIPE, which a shell cannot undo.
        let plain = "env --default-signal=PIPE"
        let ending = try sandbox.shell(
            #"\#(plain) yes '{"id":1,"rule":"email","args":{},"value":"x"}'"#
                + " | \(plain) \(Sandbox.binary.path) validate --jsonl | head -1; echo ${PIPESTATUS[1]}")
        #expect(ending.stdout.split(separator: "\n").last == "141")
        #expect(ending.stderr == "")
    }

    @Test func `validate requires the flag jsonl and a known form`() throws {
        let without = try sandbox.latchkey("validate", input: "{}\n")
        #expect(without.status == 64 && without.stdout == "" && without.stderr.contains("--jsonl"))
        let unknown = try sandbox.latchkey("validate", "--form", "sign-up", "--jsonl", input: "{}\n")
        #expect(unknown.status == 64 && unknown.stdout == "" && unknown.stderr.contains("login, setup, forgotPassword"))
    }

    @Test func `every current form validates input without creating a store`() throws {
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let form = """
            {"form": "survey", "title": "Survey", "submit": "Send", "fields": [
              {"apiKey": "age", "placeholder": "Age", "rules": [
                {"rule": "integer", "minimum": 18, "message": "{field} from {minimum}"}]},
              {"apiKey": "note", "placeholder": "Note", "optional": true, "rules": [{"rule": "minLength", "length": 3}]}]}
            """
        try Data(form.utf8).write(to: forms.appending(path: "survey.json"))
        let asked = [
            #"{"id":1,"values":{"age":"17","note":" "}}"#, #"{"id":2,"values":{"age":"18","note":"\u202eabc"}}"#,
            #"{"id":3,"values":{"age":"18"}}"#,
        ]
        let answers = lines(
            try validate(asked.map { Array($0.utf8) }, ["--form", "survey", "--forms", forms.path]))
        #expect(
            answers == [
                #"{"id":1,"valid":false,"errors":[{"field":"age","code":"too_small","message":"Age from 18"}]}"#,
                #"{"id":2,"valid":false,"errors":[{"field":"note","code":"unprintable","message":"Note contains characters "#
                    + #"that cannot be displayed"}]}"#,
                #"{"id":3,"valid":true,"errors":[]}"#,
            ])
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path) == ["forms"])
        try Data("{".utf8).write(to: forms.appending(path: "survey.json"))
        #expect(try sandbox.latchkey("validate", "--jsonl", "--forms", forms.path).status == 78)
    }

    @Test func `each random line gets one verdict, which does not change when it is repeated`() throws {
        var source = try NastyLines(seed: 1)
        let keys = ["email_field", "username", "password"]
        for flags in [[], ["--form", "setup"]] {
            let asked = (0..<400).map { _ in flags.isEmpty ? source.rule() : source.form(keys) }
            let answers = lines(try validate(asked, flags))
            // An empty last line does not count.
            #expect(answers.count == asked.count - (asked.last == [] ? 1 : 0))
            #expect(lines(try validate(asked, flags)) == answers)
        }
    }
}
