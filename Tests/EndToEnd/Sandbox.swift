import Foundation
import TestSupport
import Testing

/// A separate folder for one test, with its own store, session and configuration.
final class Sandbox: Sendable {
    let folder: URL

    init() throws {
        folder = TemporaryFolder.parent.appending(path: "latchkey-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The password of nearly every test account. The program must not write it anywhere.
    static let password = "correct horse battery"

    /// S-80: after every test, the program's folders are searched for the password.
    deinit {
        let canary = Data(Self.password.utf8)
        for own in [".local", ".config"] {
            let files = FileManager.default.enumerator(at: folder.appending(path: own), includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard let bytes = try? Data(contentsOf: file), bytes.range(of: canary) != nil else { continue }
                Issue.record("a password is in \(file.path)")
            }
        }
        try? FileManager.default.removeItem(at: folder)
    }

    /// The binary under test, built next to the tests.
    static let binary = Bundle.main.bundleURL.appending(path: "latchkey")

    /// The program of a version with one more migration, built with the tests.
    static let next = Bundle.main.bundleURL.appending(path: "latchkey-next")

    /// The benchmark tool, built with the tests.
    static let benchmarks = Bundle.main.bundleURL.appending(path: "latchkey-bench")

    /// The shipped description of a form.
    static func shippedForm(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Forms/\(name).json").standardized
    }

    var environment: [String: String] {
        // `scripts/sanitize` sets the exit status of a sanitizer.
        let sanitizers = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        return [
            "HOME": folder.path, "TMPDIR": folder.path, "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8", "TERM": "xterm-256color",
            // The cheapest allowed hashes, because the tests check behaviour and not time.
            "LATCHKEY_HASH_MEMORY": "7168", "LATCHKEY_HASH_ITERATIONS": "5",
        ].merging(sanitizers) { own, _ in own }
    }

    var data: URL { folder.appending(path: ".local/share/latchkey") }
    var store: URL { data.appending(path: "accounts.sqlite") }
    var session: URL { folder.appending(path: ".local/state/latchkey/session") }

    /// Whether this user can mount file systems that other processes do not see.
    static let canMount =
        geteuid() == 0
        && (try? Sandbox().run("/usr/bin/unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt").status) == 0

    /// The output and exit status of one run of the binary.
    struct Ending: Sendable {
        let status: Int32
        let stdout: String
        let stderr: String

        /// The only object of the `--json` output.
        func json() throws -> [String: Any] {
            try #require(JSONSerialization.jsonObject(with: Data(stdout.utf8)) as? [String: Any])
        }
    }

    /// Runs the binary to its end, without a terminal.
    @discardableResult
    func latchkey(
        _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
    ) throws -> Ending {
        try latchkey(arguments, input: Data((input ?? "").utf8), environment: environment)
    }

    @discardableResult
    func latchkey(_ arguments: [String], input: Data = Data(), environment: [String: String] = [:]) throws -> Ending {
        try Program(
            path: Self.binary.path, arguments: arguments, input: input,
            environment: self.environment.merging(environment) { _, new in new }, folder: folder
        ).run()
    }

    /// Runs the program of a version with one more migration.
    @discardableResult
    func latchkeyNext(_ arguments: [String], input: Data = Data(), environment: [String: String] = [:]) throws -> Ending
    {
        try Program(
            path: Self.next.path, arguments: arguments, input: input,
            environment: self.environment.merging(environment) { _, new in new }, folder: folder
        ).run()
    }

    /// The commands that the help lists, groups included.
    func commands() throws -> [String] {
        let help = try latchkey("--help-all").stdout
        // A long summary continues on the next line, which is indented.
        return help.prefix(upTo: help.range(of: "\nflags:\n")?.lowerBound ?? help.endIndex)
            .matches(of: #/\n {2}([a-z][a-z -]*?) {2}/#).map { String($0.output.1) }
    }

    /// Runs `latchkey-bench` to its end.
    func latchkeyBench(_ arguments: [String], input: Data = Data()) throws -> Ending {
        try Program(
            path: Self.benchmarks.path, arguments: arguments, input: input, environment: environment, folder: folder
        ).run()
    }

    /// Runs the binary from a line of bash, which can write arguments that are not UTF-8: `$'\\xFF'`.
    func shell(_ line: String, input: Data = Data()) throws -> Ending {
        let script = "latchkey() { \"\(Self.binary.path)\" \"$@\"; }\n" + line
        return try Program(
            path: "/bin/bash", arguments: ["-c", script], input: input, environment: environment, folder: folder
        ).run()
    }

    /// Runs a line of bash that mostly waits, on a separate thread.
    func waitingShell(_ line: String) async throws -> Ending {
        try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread { done.resume(with: Result { try self.shell(line) }) }
        }
    }

    /// Runs another program in the sandbox.
    func run(_ path: String, _ arguments: String..., input: String = "") throws -> Ending {
        try Program(
            path: path, arguments: arguments, input: Data(input.utf8), environment: environment, folder: folder
        ).run()
    }

    /// Creates an account with flags. For ada, the first one, copies a store that was created in the same way.
    func setUp(_ username: String, password: String = Sandbox.password) throws {
        if username == "ada", password == Self.password,
            try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty
        {
            return try StoreTemplate.ada.get().copy(to: self)
        }
        try create(username, password: password)
    }

    /// A folder with the shipped sign-up form, in which the username is optional.
    func formsWithOptionalUsername() throws -> String {
        try forms {
            $0.replacingOccurrences(of: #""apiKey": "username","#, with: #""apiKey": "username", "optional": true,"#)
        }
    }

    /// A folder with the shipped sign-up form without its username.
    func formsWithoutUsername() throws -> String {
        try forms { text in
            text.replacing(/\{\s*"apiKey": "username".*?\]\s*\},\s*/.dotMatchesNewlines(), with: "")
        }
    }

    private func forms(_ change: (String) -> String) throws -> String {
        let forms = folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let text = change(try String(contentsOf: Self.shippedForm("setup"), encoding: .utf8))
        try Data(text.utf8).write(to: forms.appending(path: "setup.json"))
        return forms.path
    }

    /// Creates an account with flags.
    func create(_ username: String, password: String = Sandbox.password) throws {
        let ending = try latchkey(
            "setup", "--username", username, "--email", "\(username)@example.org", "--password-stdin",
            input: password + "\n")
        try #require(ending.status == 0, "\(ending.stderr)")
    }

    /// The newest recovery code in the outbox.
    func code() throws -> String {
        let new = data.appending(path: "outbox/new")
        let messages = try FileManager.default.contentsOfDirectory(
            at: new, includingPropertiesForKeys: [.contentModificationDateKey])
        let newest = try messages.sorted {
            try $0.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate ?? .distantPast
                < $1.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate ?? .distantPast
        }
        for message in newest.reversed() {
            let text = try String(contentsOf: message, encoding: .utf8)
            if let code = text.split(separator: "\n").first(where: {
                $0.wholeMatch(of: /([0-9A-Z]{4}-){5}[0-9A-Z]{4}/) != nil
            }) {
                return String(code)
            }
        }
        throw NoCode()
    }

    struct NoCode: Error {}

    /// Waits until no delivery runs in the background, at most ten minutes.
    func waitForDelivery() throws {
        let deadline = ContinuousClock.now + .seconds(600)
        while try isDelivering() {
            try #require(ContinuousClock.now < deadline, "it never ended")
            usleep(5_000)
        }
    }

    /// Whether the program runs for this folder in a session of its own, without a terminal.
    ///
    /// A process that is just starting has the command line of its parent, or none.
    private func isDelivering() throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").contains { name in
            let process = URL(filePath: "/proc/\(name)")
            guard Int(name) != nil,
                let stat = try? String(contentsOf: process.appending(path: "stat"), encoding: .utf8),
                let state = stat.split(separator: ")").last?.split(separator: " "), state.count > 4,
                state[3] == name, state[4] == "0",
                let path = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: process.appending(path: "exe").path),
                path.hasSuffix("/latchkey"),
                let variables = try? Data(contentsOf: process.appending(path: "environ"))
            else { return false }
            return variables.isEmpty || variables.range(of: Data(folder.lastPathComponent.utf8)) != nil
        }
    }

    /// Queries the database directly.
    func sqlite(_ statement: String) throws -> String {
        let ending = try run("/usr/bin/sqlite3", "-cmd", ".timeout 600000", store.path, statement)
        try #require(ending.status == 0, "\(ending.stderr)")
        return ending.stdout.trimmingCharacters(in: .newlines)
    }

    /// The ID of an account, read from the database directly.
    func accountID(_ loginName: String = "ada") throws -> String {
        let digits = try sqlite("SELECT lower(hex(id)) FROM account WHERE login_name = '\(loginName)'")
        let (text, _) = [8, 4, 4, 4, 12].reduce(into: ([Substring](), digits[...])) { parts, length in
            parts.0.append(parts.1.prefix(length))
            parts.1 = parts.1.dropFirst(length)
        }
        return text.joined(separator: "-")
    }

    /// The stored hashes in the order of the login names, read from the database directly.
    func passwordHash(_ pattern: String = "%") throws -> String {
        try sqlite(
            """
            SELECT coalesce(prefix, '') || password_hash FROM stored_account WHERE login_name LIKE '\(pattern)'
                AND password_hash IS NOT NULL ORDER BY login_name
            """)
    }

    /// Writes a hash as another program would.
    func setPasswordHash(_ hash: String, ofAll pattern: String = "%") throws {
        _ = try sqlite(
            "UPDATE account SET hash_kind = NULL, password_hash = '\(hash)' WHERE login_name LIKE '\(pattern)'")
    }
}
