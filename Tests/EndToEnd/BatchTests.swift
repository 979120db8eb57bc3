import Foundation
import Testing

/// `login --batch` and `latchkey-bench lookup`, with the real binaries.
@Suite(.programs, .timeLimit(.minutes(60))) struct BatchTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.setUp("grace")
    }

    private func batch(_ input: String, _ flags: String...) throws -> Sandbox.Ending {
        try sandbox.latchkey(["login", "--batch", "-", "--json"] + flags, input: Data(input.utf8))
    }

    /// The verdicts and the figures in the last line.
    private func verdicts(_ ending: Sandbox.Ending) throws -> ([String], [String: Any]) {
        #expect(ending.stderr == "")
        let lines = ending.stdout.split(separator: "\n").map(String.init)
        let last = Data((lines.last ?? "").utf8)
        let figures = try #require(JSONSerialization.jsonObject(with: last) as? [String: Any])
        return (lines.dropLast(), figures)
    }

    private func id(_ username: String) throws -> String { try sandbox.accountID(username) }

    private static let right = #"{"username":"ada","password":"correct horse battery"}"#
    private static let yes = #""ok":true,"status":200,"code":"success"}"#
    private static let no = #""ok":false,"status":401,"code":"invalid_credentials"}"#
    private static let senseless = #""ok":false,"status":400,"code":"bad_request"}"#

    @Test(arguments: ["1", "3"]) func `every line gets a verdict, in order`(jobs: String) throws {
        try sandbox.latchkey("accounts", "require-change", "grace")
        let rows: [(line: String, verdict: String)] = [
            (Self.right, Self.yes),
            (#"{"username":"ada","password":"wrong password"}"#, Self.no),
            (#"{"username":"nobody","password":"wrong password"}"#, Self.no),
            ("nonsense", Self.senseless),
            ("", Self.senseless),
            (#"{"username":"ada"}"#, Self.senseless),
            (#"{"username":"ada","password":1}"#, Self.senseless),
            (#"{"username":"ada","password":"\ud800"}"#, Self.senseless),
            (#"{"username":"ada","username":"ada","password":"x"}"#, Self.senseless),
            (#"{"username":"ADA@example.org","password":"correct\u0020horse battery","id":1,"more":[]}"#, Self.yes),
            (
                #"{"password":"correct horse battery","username":"grace"}"#,
                #""ok":false,"status":403,"code":"change_required"}"#
            ),
            (#"{"username":"","password":""}"#, Self.no),
            (#"{"username":"a\u0000da","password":"correct horse battery"}"#, Self.no),
            (#"{"username":"\#(String(repeating: "x", count: 100_000))","password":"x"}"#, Self.no),
            (#"{"username":"ada","password":"\#(String(repeating: "x", count: 1025))"}"#, Self.no),
            (#"{"username":"ada","password":"\#(String(repeating: "x", count: 1_048_576))"}"#, Self.senseless),
            (Self.right, Self.yes),
        ]
        let ending = try batch(rows.map(\.line).joined(separator: "\n"), "--jobs", jobs)
        #expect(ending.status == 0)
        let (answers, figures) = try verdicts(ending)
        // A line with a correct password contains the id of its account.
        let ids = answers.compactMap { $0.firstMatch(of: /,"id":"([0-9a-f-]{36})"}$/).map { String($0.output.1) } }
        let (ada, grace) = (try id("ada"), try id("grace"))
        #expect(ids == [ada, ada, grace, ada])
        let plain = answers.map { $0.replacing(/,"id":"[0-9a-f-]{36}"/, with: "") }
        #expect(plain == rows.enumerated().map { #"{"line":\#($0 + 1),\#($1.verdict)"# })
        #expect(figures["count"] as? Int == rows.count)
        #expect(figures["succeeded"] as? Int == 3)
        #expect(Set(figures.keys) == ["count", "succeeded", "seconds", "cpu_seconds"])
    }

    /// S-37, S-46: throttled, verified and recorded like any login, but without a session.
    @Test func `login --batch performs complete logins and stores no session`() throws {
        let wrong = #"{"username":"ada","password":"wrong password"}"#
        let ending = try batch([wrong, wrong, Self.right, wrong].joined(separator: "\n") + "\n")
        let (answers, _) = try verdicts(ending)
        #expect(answers.map { $0.contains("\"ok\":true") } == [false, false, true, false])
        let trail = try sandbox.latchkey("audit", "list", "--json").stdout.split(separator: "\n").compactMap {
            (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["event"] as? String
        }
        #expect(
            trail.suffix(4) == [
                "authn_login_fail", "authn_login_fail", "authn_login_successafterfail", "authn_login_fail",
            ])
        #expect(try sandbox.sqlite("SELECT failures FROM throttle") == "1")
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "0")
        #expect(!FileManager.default.fileExists(atPath: sandbox.session.path))
    }

    /// S-48.
    @Test func `a throttled account delays only its own lines, which report the wait`() throws {
        let wrong = #"{"username":"ada","password":"wrong password"}"#
        let lines = Array(repeating: wrong, count: 6) + [#"{"username":"grace","password":"correct horse battery"}"#]
        let (answers, _) = try verdicts(try batch(lines.joined(separator: "\n")))
        #expect(answers.prefix(4).allSatisfy { $0.hasSuffix(Self.no) })
        #expect(answers[4] == #"{"line":5,"ok":false,"status":429,"code":"throttled","retry_after":1}"#)
        #expect(answers[6].hasPrefix(#"{"line":7,"ok":true,"status":200,"code":"success","#))
    }

    /// S-28.
    @Test func `stored hashes are rehashed unless rehashing is off`() throws {
        func parameters() throws -> String {
            String(try sandbox.passwordHash("ada").split(separator: "$")[2])
        }
        let dearer = ["LATCHKEY_HASH_MEMORY": "7168", "LATCHKEY_HASH_ITERATIONS": "6"]
        let command = ["login", "--batch", "-"]
        let input = Data(Self.right.utf8)
        #expect(try sandbox.latchkey(command + ["--no-rehash"], input: input, environment: dearer).status == 0)
        #expect(try parameters() == "m=7168,t=5,p=1")
        let ending = try sandbox.latchkey(command, input: input, environment: dearer)
        #expect(ending.stdout.hasPrefix("1  success\n1, 1 succeeded: "))
        #expect(try parameters() == "m=7168,t=6,p=1")
    }

    @Test func `a program that waits for each verdict gets it immediately`() throws {
        let script = """
            import subprocess, sys
            child = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            for number in range(20):
                child.stdin.write(b'{"username":"nobody%d","password":"x"}\\n' % number)
                child.stdin.flush()
                if not child.stdout.readline().startswith(b'{"line":%d,' % (number + 1)):
                    sys.exit('line %d' % number)
            child.stdin.close()
            if not child.stdout.read().startswith(b'{"count":20,"succeeded":0,') or child.wait() != 0:
                sys.exit('the end')
            """
        for jobs in ["1", "3"] {
            let ending = try sandbox.run(
                "/usr/bin/env", "python3", "-c", script, Sandbox.binary.path, "login", "--batch", "-", "--jobs", jobs,
                "--json")
            #expect(ending.status == 0, "\(ending.stderr)")
        }
    }

    /// S-118: 64 MiB of invalid lines and unknown names.
    @Test func `an endless file does not use up memory`() throws {
        let script = """
            import resource, subprocess, sys
            child = subprocess.Popen(sys.argv[3:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            for _ in range(int(sys.argv[1])):
                child.stdin.write(sys.argv[2].encode() * 64 + b'\\n')
            child.stdin.close()
            print(child.wait(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        for command in [
            [Sandbox.binary.path, "login", "--batch", "-", "--jobs", "4"],
            [Sandbox.benchmarks.path, "lookup", "--batch", "-"],
        ] {
            func peak(_ count: Int) throws -> Int {
                let ending = try Program(
                    path: "/usr/bin/env",
                    arguments: ["python3", "-c", script, "\(count)", String(repeating: "x", count: 1000)]
                        + command,
                    input: Data(), environment: sandbox.environment, folder: sandbox.folder
                ).run()
                let numbers = ending.stdout.split { " \n".contains($0) }.compactMap { Int($0) }
                try #require(numbers.count == 2 && numbers[0] == 0, "\(ending.stderr)")
                return numbers[1]
            }
            let (few, many) = (try peak(10), try peak(1000))
            #expect(many <= few + 8192, "\(many) KiB, and \(few) for ten lines: \(command)")
        }
    }

    @Test func `a batch cannot be combined with the flags of one login`() throws {
        let rows: [([String], String, Int32)] = [
            (["login", "--batch", "-", "--username", "ada"], "batch_alone", 64),
            (["login", "--batch", "-", "--password-stdin"], "batch_alone", 64),
            (["login", "--jobs", "2"], "batch_missing", 64),
            (["login", "--batch", "-", "--jobs", "0"], "bad_number", 64),
            (["login", "--batch", "-", "--jobs", "65"], "bad_number", 64),
            (["login", "--batch", ""], "bad_path", 64),
            (["login", "--batch", "nowhere"], "input_missing", 66),
        ]
        for (arguments, code, status) in rows {
            let ending = try sandbox.latchkey(arguments + ["--json"], input: Data())
            #expect(try ending.json()["code"] as? String == code, "\(arguments)")
            #expect(ending.status == status, "\(arguments)")
        }
        for (arguments, code, status) in [
            (["lookup"], "batch_missing", 64), (["lookup", "--batch", "nowhere"], "input_missing", 66),
            ([], "command_missing", 64), (["frobnicate"], "unknown_command", 64),
        ] as [([String], String, Int32)] {
            let ending = try sandbox.latchkeyBench(arguments + ["--json"])
            #expect(try ending.json()["code"] as? String == code, "\(arguments)")
            #expect(ending.status == status, "\(arguments)")
            #expect(ending.stderr.hasPrefix("latchkey-bench: "), "\(ending.stderr)")
        }
    }

    @Test func `the benchmark commands are only in latchkey-bench`() throws {
        #expect(try sandbox.latchkey("accounts", "lookup", "--batch", "-").status == 64)
        #expect(try sandbox.latchkey("hash", "bench").status == 64)
        let help = try sandbox.latchkeyBench(["hash", "--help"])
        #expect(help.status == 0 && help.stdout.hasPrefix("usage: latchkey-bench hash [flags]\n"))
    }

    /// A store failure is not a verdict on a line.
    @Test func `a store that cannot be written ends a batch`() throws {
        _ = try sandbox.sqlite("CREATE TRIGGER stop BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END")
        let ending = try batch(Self.right + "\n" + Self.right)
        #expect(ending.status == 74 || ending.status == 78, "\(ending.stdout) \(ending.stderr)")
        #expect(!ending.stdout.contains("\"ok\":true"))
    }

    @Test func `accounts are found by username, address and id`() throws {
        let id = try id("ada")
        let names = sandbox.folder.appending(path: "names")
        try Data("ada\nADA\r\nada@example.org\n\(id)\nnobody\n\nno name\n@@\n".utf8 + [0xFF, 0x0A] + "grace".utf8)
            .write(to: names)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: names.path)
        let ending = try sandbox.latchkeyBench(["lookup", "--batch", names.path, "--json"])
        #expect(ending.status == 0, "\(ending.stderr)")
        let figures = try ending.json()
        #expect(figures["count"] as? Int == 10)
        #expect(figures["succeeded"] as? Int == 5)
        #expect(Set(figures.keys) == ["count", "succeeded", "seconds", "cpu_seconds"])
    }
}
