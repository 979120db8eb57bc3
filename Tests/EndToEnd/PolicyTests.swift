import Foundation
import TestSupport
import Testing

/// The current policy in every front that sets a password.
@Suite(.programs, .timeLimit(.minutes(60))) struct PolicyTests {
    private static let password = "correct horse battery"

    /// A password of the given length up to 15 that is not on a list.
    private static func password(_ length: Int) -> String { String("qz7vkxw3mhd9tgb".prefix(length)) }

    /// The folder for files that must not be on disk.
    private func runtimeFolder(_ sandbox: Sandbox) throws -> [String: String] {
        let folder = sandbox.folder.appending(path: "run")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return ["XDG_RUNTIME_DIR": folder.path]
    }

    /// The code, the minimum and the message of the one failure, without the field's label.
    private func refusal(_ ending: Sandbox.Ending) throws -> [String] {
        let errors = try #require(try ending.json()["errors"] as? [[String: Any]], "\(ending.stderr)")
        let error = try #require(errors.first)
        let minimum = try #require((error["values"] as? [String: Any])?["minimum"] as? Int)
        let message = try #require(error["message"] as? String)
        #expect(errors.count == 1)
        return [
            error["field"] as? String ?? "", error["code"] as? String ?? "", "\(minimum)",
            String(message.suffix(from: message.range(of: "must be")?.lowerBound ?? message.startIndex)),
        ]
    }

    /// S-3, S-1: 7, 8, 9, 14 and 15 code points under each preset. The forms of owners
    /// require 9, because an account with a second factor may have a shorter password; that of sign-up requires the minimum.
    @Test(arguments: [("standard", 9), ("nist", 15)])
    func `every front applies the password policy and shows the same message`(preset: String, minimum: Int) throws {
        let sandbox = try Sandbox()
        let environment = try runtimeFolder(sandbox).merging(["LATCHKEY_POLICY": preset]) { $1 }
        func latchkey(_ arguments: String..., input: String = "") throws -> Sandbox.Ending {
            try sandbox.latchkey(arguments, input: Data(input.utf8), environment: environment)
        }
        let made = try latchkey(
            "setup", "--username", "grace", "--email", "grace@example.org", "--password-stdin",
            input: Self.password + "\n")
        #expect(made.status == 0)
        var current = Self.password
        for length in [7, 8, 9, 14, 15] {
            let text = Self.password(length)
            func logIn(_ password: String) throws {
                let ending = try latchkey("login", "--username", "grace", "--password-stdin", input: password + "\n")
                #expect(ending.status == 0, "\(ending.stderr)")
            }
            func expect(_ ending: Sandbox.Ending, _ front: String, isForm: Bool = true) throws {
                #expect(ending.status == (length < minimum ? 65 : 0), "\(front) \(length): \(ending.stderr)")
                #expect(!(ending.stdout + ending.stderr).contains(text))
                guard length < minimum else { return }
                let least = isForm && length < 9 ? 9 : minimum
                let words = "must be at least \(least) characters"
                #expect(try refusal(ending) == ["password", "min_length", "\(least)", words], "\(front) \(length)")
            }
            try expect(
                latchkey("policy", "test", "--password-stdin", "--json", input: text + "\n"), "policy test",
                isForm: false)
            try expect(
                latchkey(
                    "setup", "--username", "ada\(length)", "--email", "ada\(length)@example.org", "--password-stdin",
                    "--json", input: text + "\n"), "setup", isForm: false)
            try expect(
                latchkey(
                    "accounts", "create", "bo\(length)", "--email", "bo\(length)@example.org", "--password-stdin",
                    "--json", input: text + "\n"), "accounts create", isForm: false)
            try logIn(current)
            let change = try latchkey(
                "change-password", "--current-password-stdin", "--password-stdin", "--json",
                input: current + "\n" + text + "\n")
            try expect(change, "change-password")
            let code = try latchkey("accounts", "recover", "grace").stdout
            let reset = try latchkey(
                "reset-password", "--code-stdin", "--password-stdin", "--json", input: code + text + "\n")
            try expect(reset, "reset-password")
            try expect(
                latchkey("accounts", "set-password", "grace", "--password-stdin", "--json", input: text + "\n"),
                "accounts set-password", isForm: false)
            if length >= minimum { current = text }
            // Under nist an operator's password must be changed, so the next round starts with the owner's password.
            let own = "another good password \(length)"
            let renewal = try latchkey("accounts", "recover", "grace").stdout
            #expect(
                try latchkey("reset-password", "--code-stdin", "--password-stdin", input: renewal + own + "\n").status
                    == 0)
            current = own
        }
    }

    /// S-3.
    @Test func `a terminal shows a policy failure at the password field`() async throws {
        let sandbox = try Sandbox()
        let environment = sandbox.environment.merging(try runtimeFolder(sandbox)) { $1 }
        let session = try PtySession(
            Sandbox.binary.path, ["setup", "--policy", "nist"], environment: environment)
        try await session.expect("Create your account")
        session.send("ada@example.org\rada\rqz7vkxw3mhd9tg\rqz7vkxw3mhd9tg\r")
        try await session.expect("Password must be at least 15 characters")
        session.send("\u{3}")
        #expect(try await session.waitForExit() == .signal(SIGINT))
    }

    /// S-3.
    @Test func `policy show lists the deviations from NIST`() throws {
        let sandbox = try Sandbox()
        func rules(_ preset: String) throws -> ([String: Any], [String: [String: Any]]) {
            let answer = try sandbox.latchkey("policy", "show", "--policy", preset, "--json").json()
            let rules = try #require(answer["rules"] as? [[String: Any]])
            return (answer, Dictionary(uniqueKeysWithValues: rules.map { ($0["rule"] as? String ?? "", $0) }))
        }
        func departures(_ rules: [String: [String: Any]]) -> Set<String> {
            Set(rules.filter { $0.value["departs"] as? Bool == true }.keys)
        }
        let (standard, ours) = try rules("standard")
        #expect(standard["policy"] as? String == "standard" && standard["meets_nist"] as? Bool == false)
        #expect(departures(ours) == ["minimum_length", "failures_until_recovery", "sessions_on_disk"])
        #expect(ours["minimum_length"]?["value"] as? Int == 9)
        #expect(ours["minimum_length"]?["section"] as? String == "3.1.1.2")
        #expect(ours["failures_until_recovery"]?["value"] is NSNull)
        let (nist, theirs) = try rules("nist")
        #expect(nist["meets_nist"] as? Bool == true && departures(theirs).isEmpty)
        #expect(theirs["minimum_length"]?["value"] as? Int == 15)
        #expect(theirs["minimum_length_with_factor"]?["value"] as? Int == 9)
        #expect(theirs["failures_until_recovery"]?["value"] as? Int == 100)
        #expect(theirs["session_absolute"]?["value"] as? Int == 86400)
        #expect(theirs["session_idle"]?["value"] as? Int == 3600)
        for rule in Array(ours.values) + Array(theirs.values) {
            let message = try #require(rule["message"] as? String)
            #expect(!message.isEmpty && !message.contains("{") && !message.hasPrefix("policy."))
        }
        let text = try sandbox.latchkey("policy", "show")
        #expect(text.status == 0 && text.stderr.isEmpty)
        #expect(text.stdout.contains("Policy standard\n  A new password has at least 9 code points\n"))
        #expect(text.stdout.contains("3.1.1.2: at least 15 where the password is the only factor\n"))
        #expect(text.stdout.hasSuffix("This policy does not meet NIST SP 800-63B-4. The policy nist does.\n"))
        let meeting = try sandbox.latchkey("policy", "show", "--policy", "nist").stdout
        #expect(meeting.contains("This policy meets NIST SP 800-63B-4"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.path))
    }

    /// S-9.
    @Test func `a password is tested against its owner's data and never printed`() throws {
        let sandbox = try Sandbox()
        let ada = ["--username", "lovelace", "--email", "countess@example.org", "--password-stdin"]
        for (password, flags, status) in [
            ("lovelace1815", ada, 65), ("lovelace1815", ["--password-stdin"], 0), ("countess!", ada, 65),
            ("password1!", [], 65), ("correct horse battery", ada, 0), ("", [], 65), ("\u{7}correct horse", [], 65),
        ] as [(String, [String], Int32)] {
            for json in [[], ["--json"]] {
                let given = flags.isEmpty ? ["--password-stdin"] : flags
                let ending = try sandbox.latchkey(
                    ["policy", "test"] + given + json, input: Data((password + "\n").utf8))
                #expect(ending.status == status, "\(password): \(ending.stderr)")
                if !password.isEmpty { #expect(!(ending.stdout + ending.stderr).contains(password)) }
                #expect(status == 0 || json.isEmpty == ending.stdout.isEmpty)
            }
        }
        let missing = try sandbox.latchkey("policy", "test", "--no-input", "--json")
        #expect(missing.status == 64)
        #expect(try missing.json()["code"] as? String == "flags_missing")
        #expect(try sandbox.latchkey("policy", "test", "--json", input: "").status == 64)
        #expect(try sandbox.latchkey("policy", "test", "--password", "canary-4711").status == 64)
    }

    @Test func `a terminal prompts for the password to test and hides it`() async throws {
        let sandbox = try Sandbox()
        let session = try PtySession(
            Sandbox.binary.path, ["policy", "test", "--policy", "nist"], environment: sandbox.environment)
        try await session.expect("Test a password")
        session.send("too short\r")
        try await session.expect("at least 15 characters")
        #expect(try await session.waitForExit() == .status(65))
        #expect(!session.screen().text.contains("too short"))
    }

    @Test func `an unknown policy and invalid limits are refused`() throws {
        let sandbox = try Sandbox()
        for ending in [
            try sandbox.latchkey("policy", "show", "--policy", "strict", "--json"),
            try sandbox.latchkey("policy", "show", "--json", environment: ["LATCHKEY_POLICY": "NIST"]),
        ] {
            #expect(ending.status == 64)
            #expect(try ending.json()["code"] as? String == "bad_policy")
        }
        let config = sandbox.folder.appending(path: "config.json")
        func show(_ text: String) throws -> Sandbox.Ending {
            try Data(text.utf8).write(to: config)
            return try sandbox.latchkey("policy", "show", "--config", config.path, "--json")
        }
        for text in [
            #"{"policy": "strict"}"#, #"{"policy": ""}"#, #"{"policy": 1}"#, #"{"audit": 1}"#,
            #"{"audit": {"size": 0}}"#, #"{"audit": {"size": -1}}"#, #"{"audit": {"size": 1048577}}"#,
            #"{"audit": {"size": "1"}}"#, #"{"audit": {"size": 1.5}}"#, #"{"audit": {"days": 0}}"#,
            #"{"audit": {"days": 36526}}"#, #"{"audit": {"years": 1}}"#,
        ] { #expect(try show(text).status == 78, "\(text)") }
        let nist = try show(#"{"policy": "nist", "audit": {"size": 1, "days": 30}}"#)
        #expect(try nist.json()["policy"] as? String == "nist")
        let flag = try sandbox.latchkey("policy", "show", "--config", config.path, "--policy", "standard", "--json")
        #expect(try flag.json()["policy"] as? String == "standard")
    }

    /// S-77, S-71.
    @Test func `the nist policy stores no session on disk`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let runtime = try runtimeFolder(sandbox)
        func logIn(_ environment: [String: String]) throws -> Sandbox.Ending {
            try sandbox.latchkey(
                "login", "--username", "ada", "--password-stdin", "--policy", "nist", input: Self.password + "\n",
                environment: environment)
        }
        let homeless = try logIn([:])
        #expect(homeless.status == 78)
        #expect(homeless.stderr.contains("XDG_RUNTIME_DIR"))
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "0")
        #expect(try sandbox.latchkey("accounts", "list", "--policy", "nist").status == 0)
        #expect(try sandbox.latchkey("whoami", "--policy", "nist").status == 1)
        #expect(try logIn(runtime).status == 0)
        let file = sandbox.folder.appending(path: "run/latchkey/session")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(!FileManager.default.fileExists(atPath: sandbox.session.path))
        func whoAmI() throws -> Int32 {
            try sandbox.latchkey("whoami", "--policy", "nist", environment: runtime).status
        }
        #expect(try whoAmI() == 0)
        // The session was used an hour ago, or created a day ago.
        for (column, seconds) in [("last_used_at", Int64(3601)), ("created_at", 86401)] {
            #expect(try logIn(runtime).status == 0)
            try sandbox.ageSessions(by: seconds, [column])
            #expect(try whoAmI() == 1, "\(column)")
        }
        #expect(try logIn(runtime).status == 0)
        #expect(try sandbox.latchkey("logout", "--policy", "nist", environment: runtime).status == 0)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
