import Foundation

/// Where people have programs that are behind the login: one store, and for each person a session of their own.
public struct ProgramHome: Sendable {
    public static let password = "correct horse battery"

    public let folder: TemporaryFolder

    public init() throws { folder = try TemporaryFolder() }

    /// Starts a program that is built beside the tests on a terminal of its own.
    public func start(
        _ program: String, _ arguments: [String] = [], as person: String = "ada", term: String = "xterm-256color"
    ) throws -> PtySession {
        try PtySession(
            Bundle.main.bundleURL.appending(path: program).path, arguments,
            environment: [
                "HOME": folder.path, "XDG_STATE_HOME": folder.path(of: person), "TMPDIR": folder.path,
                "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": term,
                // The least that is allowed: the tests are of what happens, not of how long it takes.
                "LATCHKEY_HASH_MEMORY": "19456", "LATCHKEY_HASH_ITERATIONS": "2",
            ])
    }

    /// Signs ada up in a program's own front, where nobody has an account yet, and logs her in.
    public func signUp(in session: PtySession) async throws {
        try await session.expect("Create your account")
        session.send("ada@example.org\rada\r\(Self.password)\r\(Self.password)\r\r")
        try await session.expect("Account ada created")
        try await session.expect("Log in")
        session.send("\(Self.password)\r")
    }

    /// Makes an account, and leaves it to a program to log in.
    public func signUp(_ person: String) async throws {
        let session = try start(
            "latchkey", ["setup", "--username", person, "--email", "\(person)@example.org"], as: person)
        try await session.expect("Password")
        session.send("\(Self.password)\r\(Self.password)\r\r")
        try await session.expect("Account \(person) created")
        _ = try await session.waitForExit()
    }

    /// What `file` of the folder in which store and programs keep their data is called.
    public func data(_ file: String) -> String { ".local/share/latchkey/" + file }
}
