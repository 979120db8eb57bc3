import Foundation
import TestSupport
import Testing

/// Second factors in scripts.
@Suite(.programs, .timeLimit(.minutes(60))) struct FactorCommandTests {
    private let sandbox: Sandbox
    private let factor: Sandbox.Factor

    init() throws {
        sandbox = try Sandbox()
        factor = try sandbox.addFactor()
    }

    private static let password = Sandbox.password + "\n"

    private func logIn(_ code: String?, _ flags: String...) throws -> Sandbox.Ending {
        try sandbox.latchkey(
            ["login", "ada", "--password-stdin"] + (code == nil ? [] : ["--code-stdin"]) + flags,
            input: Data((Self.password + (code.map { $0 + "\n" } ?? "")).utf8))
    }

    /// S-66, S-69.
    @Test func `a login requires a code, and each code works once`() throws {
        try sandbox.latchkey("logout")
        let missing = try logIn(nil, "--json")
        #expect(missing.status == 77)
        #expect(try missing.json()["code"] as? String == "second_factor_required")
        #expect(try missing.json()["status"] as? Int == 403)
        #expect(try sandbox.latchkey("whoami").status == 1)
        let wrong = try logIn("000000", "--json")
        #expect(wrong.status == 1)
        #expect(try wrong.json()["code"] as? String == "invalid_code")
        #expect(wrong.stderr.contains("--code-stdin"))
        let code = try sandbox.code(of: factor.key)
        let right = try logIn(code, "--json")
        #expect(right.status == 0, "\(right.stderr)")
        #expect(try right.json()["ok"] as? Bool == true)
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        #expect(try logIn(code).status == 1, "a replay")
        #expect(try logIn(factor.savedCodes[0].lowercased()).status == 0)
        #expect(try logIn(factor.savedCodes[0]).status == 1, "it was used")
        #expect(try sandbox.latchkey("factors", "list").stdout.contains("Saved codes: 9 left"))
    }

    @Test(arguments: [["passkeys", "add"], ["passkey", "add"], ["factors", "add", "passkey"]])
    func `a passkey is added in a browser, and the command prints where`(words: [String]) throws {
        let ending = try sandbox.latchkey(words, environment: ["LATCHKEY_ORIGIN": "https://accounts.example.org"])
        #expect(ending.status == 64 && ending.stdout.isEmpty)
        #expect(ending.stderr.contains("https://accounts.example.org/account"), "\(ending.stderr)")
        #expect(try sandbox.latchkey(words).stderr.contains("http://localhost:8421/account"))
    }

    @Test func `a code is ignored for an account without a factor`() throws {
        try sandbox.create("bob")
        let login = try sandbox.latchkey(
            "login", "bob", "--password-stdin", "--code-stdin", input: Self.password + "123456\n")
        #expect(login.status == 0, "\(login.stderr)")
    }

    @Test func `printing a token for another program requires the code too`() throws {
        let missing = try logIn(nil, "--print-token")
        #expect(missing.status == 77 && missing.stdout.isEmpty)
        let code = try sandbox.code(of: factor.key)
        let printed = try logIn(code, "--print-token")
        #expect(printed.status == 0 && printed.stdout.hasPrefix("lks_"), "\(printed.stderr)")
        #expect(try sandbox.latchkey("sessions", "verify", input: printed.stdout).stdout == "ada\n")
    }

    @Test func `factors are listed, replaced and removed`() throws {
        let list = try sandbox.latchkey("factors", "list", "--json").json()
        #expect(list["saved_codes_left"] as? Int == 10)
        #expect((list["authenticator"] as? [String: Any])?["added_at"] is String)
        #expect(try sandbox.latchkey("factors", "list", "--account", "ada").stdout.contains("Saved codes: 10 left"))
        let second = try sandbox.latchkey("factors", "add", "totp", "--no-input", "--json")
        #expect(second.status == 76)
        #expect(try second.json()["code"] as? String == "factor_exists")
        let codes = try sandbox.latchkey("factors", "codes")
        let new = codes.stdout.split(separator: "\n").map(String.init)
        #expect(new.count == 10 && Set(new).isDisjoint(with: factor.savedCodes))
        #expect(try logIn(factor.savedCodes[1]).status == 1)
        #expect(try logIn(new[1]).status == 0)
        #expect(try sandbox.latchkey("factors", "remove").status == 64, "a script says --yes")
        #expect(try sandbox.latchkey("factors", "remove", "--yes").stdout == "Authenticator app removed\n")
        #expect(try sandbox.latchkey("factors", "list").stdout.hasPrefix("No second factor"))
        for command in [["factors", "remove", "--yes"], ["factors", "codes"]] {
            let ending = try sandbox.latchkey(command)
            #expect(ending.status == 1 && ending.stderr.contains("no authenticator app"))
        }
        #expect(try logIn(nil).status == 0)
    }

    /// S-68, S-78.
    @Test func `a script cannot change a factor without a recent password and code`() throws {
        try sandbox.ageSessions()
        for command in [["codes"], ["remove", "--yes"]] {
            let ending = try sandbox.latchkey(["factors"] + command + ["--json"])
            #expect(ending.status == 77)
            #expect(try ending.json()["code"] as? String == "reauthentication_required")
        }
        #expect(try sandbox.latchkey("factors", "list").status == 0)
        try sandbox.latchkey("logout")
        for command in [["list"], ["codes"], ["remove", "--yes"], ["add", "totp", "--no-input"]] {
            #expect(try sandbox.latchkey(["factors"] + command).status == 1)
        }
    }

    @Test func `an operator can remove a factor that the owner has lost`() throws {
        let reset = try sandbox.latchkey("accounts", "reset-factors", "ada")
        #expect(reset.status == 0 && reset.stdout.contains("Second factors of account ada removed"))
        #expect(try sandbox.latchkey("whoami").status == 1, "its sessions have ended")
        #expect(try sandbox.latchkey("accounts", "reset-factors", "ada").stdout.contains("has no second factor"))
        #expect(try sandbox.latchkey("accounts", "reset-factors", "eve").status == 1)
        #expect(try logIn(nil).status == 0)
        let trail = try sandbox.latchkey("audit", "list", "--event", "factor_reset").stdout
        #expect(trail.split(separator: "\n").count == 1)
    }

    @Test func `if a factor is required, a login with flags reports that the account has none`() throws {
        try sandbox.create("bob")
        let required = try sandbox.latchkey(
            "login", "bob", "--password-stdin", "--json", input: Self.password,
            environment: ["LATCHKEY_FACTORS": "required"])
        #expect(required.status == 77)
        #expect(try required.json()["code"] as? String == "enrolment_required")
        let wrong = try sandbox.latchkey("whoami", environment: ["LATCHKEY_FACTORS": "sometimes"])
        #expect(wrong.status == 78 || wrong.status == 64)
    }

    @Test func `programs that only check passwords refuse accounts with a factor`() throws {
        let row = #"{"username":"ada","password":"\#(Sandbox.password)"}"# + "\n"
        let batch = try sandbox.latchkey("login", "--batch", "-", "--json", input: row)
        #expect(batch.stdout.contains(#""ok":false,"status":403,"code":"second_factor_required""#))
        let check = try sandbox.shell(
            "printf 'ada\\0\(Sandbox.password)\\0now\\0' | { latchkey checkpassword printenv USER 3<&0; }")
        #expect(check.status == 1 && check.stdout.isEmpty && check.stderr.isEmpty, "\(check.stderr)")
        #expect(try sandbox.latchkey("run", "--", "true").status == 0, "the session is a full one")
        try sandbox.latchkey("logout")
        #expect(try sandbox.latchkey("run", "--", "true").status == 1)
    }

    /// S-61.
    @Test func `a recovery with flags is refused if the account has a factor, and its code stays valid`() async throws {
        try sandbox.latchkey("forgot-password", "--email", "ada@example.org")
        let code = try sandbox.code()
        for _ in 0..<2 {
            let reset = try sandbox.latchkey(
                "reset-password", "--code-stdin", "--password-stdin", "--json", input: code + "\na new long password\n")
            #expect(reset.status == 77, "\(reset.stderr)")
            #expect(try reset.json()["code"] as? String == "second_factor_required")
        }
        #expect(try sandbox.sqlite("SELECT count(*) FROM throttle_code") == "0", "it is no code of the factor")
        #expect(try sandbox.latchkey("whoami").status == 0)
        let session = try PtySession(Sandbox.binary.path, ["reset-password"], environment: sandbox.environment)
        try await session.expect("Set a password")
        session.send(code + "\ra new long password\ra new long password\r")
        try await session.expect("6 digits")
        session.send(try sandbox.code(of: factor.key) + "\r")
        try await session.expect("Password changed")
        #expect(try await session.waitForExit() == .status(0))
        #expect(try logIn(nil).status == 1)
    }

    /// S-62.
    @Test func `of twenty concurrent logins with one saved code, one succeeds`() async throws {
        // A code of the app could expire before the machine has run all of the logins.
        let code = factor.savedCodes[5]
        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await sandbox.waitingShell(
                        "printf '%s\\n' '\(Sandbox.password)' \(code)"
                            + " | latchkey login ada --password-stdin --code-stdin --print-token"
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 0 }.count == 1, "\(statuses)")
        #expect(statuses.allSatisfy { [0, 1, 75].contains($0) }, "\(statuses)")
    }
}
