import Foundation

/// A home folder for programs that use the login, with one store and a session for each user.
public struct ProgramHome: Sendable {
    /// The password of the accounts that the tests create.
    public static let password = "correct horse battery"

    /// The home folder.
    public let folder: TemporaryFolder

    /// Creates an empty home folder.
    public init() throws { folder = try TemporaryFolder() }

    /// Starts a program of this package on a separate terminal.
    public func start(
        _ program: String, _ arguments: [String] = [], as person: String = "ada", term: String = "xterm-256color",
        language: String = "C.UTF-8"
    ) throws -> PtySession {
        try PtySession(
            Self.path(of: program), arguments,
            environment: environment(of: person).merging(["TERM": term, "LANG": language]) { _, new in new })
    }

    /// Runs a program of this package without a terminal and returns its standard error.
    public func runWithoutTerminal(_ program: String) throws -> (problems: String, status: Int32) {
        let (process, problems) = (Process(), Pipe())
        process.executableURL = URL(filePath: Self.path(of: program))
        process.environment = environment(of: "ada")
        process.standardInput = FileHandle.nullDevice
        process.standardError = problems
        try process.run()
        let bytes = problems.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
    }

    private static func path(of program: String) -> String { Bundle.main.bundleURL.appending(path: program).path }

    private func environment(of person: String) -> [String: String] {
        [
            "HOME": folder.path, "XDG_STATE_HOME": folder.path(of: person), "TMPDIR": folder.path,
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
            // Uses the lowest cost, because these tests do not measure hashing.
            "LATCHKEY_HASH_MEMORY": "7168", "LATCHKEY_HASH_ITERATIONS": "5",
        ]
    }

    /// Signs ada up in a program with an empty store, and logs her in.
    public func signUp(in session: PtySession) async throws {
        try await session.expect("Create your account")
        session.send("ada@example.org\rada\r\(Self.password)\r\(Self.password)\r\r")
        try await session.expect("Account ada created")
        try await session.expect("Logged in as ada")
    }

    /// Creates an account without logging in.
    public func signUp(_ person: String) async throws {
        let session = try start(
            "latchkey", ["setup", "--username", person, "--email", "\(person)@example.org"], as: person)
        try await session.expect("Password")
        session.send("\(Self.password)\r\(Self.password)\r\r")
        try await session.expect("Account \(person) created")
        _ = try await session.waitForExit()
    }

    /// The path of `file` in the store's folder.
    public func data(_ file: String) -> String { ".local/share/latchkey/" + file }
}
