package import Foundation
package import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem
package import Testing

/// A PostgreSQL server that this process starts and that ends with it.
///
/// It listens on a Unix socket in a private folder only. It belongs to the user `postgres` if the tests run as root,
/// because the server refuses to run as root.
package final class PostgresServer: Sendable {
    /// Started by the first test that needs it.
    package static let shared = Result { try PostgresServer() }

    /// Whether the server's programs are installed. Debian: `postgresql-15`.
    package static let isInstalled = unsafe programs != nil && (getuid() != 0 || getpwnam("postgres") != nil)

    package static let reason: Comment = "The package postgresql-15 is not installed, or there is no user postgres"

    /// The folder with the programs of the newest installed version.
    private static let programs: String? = {
        let versions = "/usr/lib/postgresql"
        let numbers = try? FileManager.default.contentsOfDirectory(atPath: versions).compactMap { Int($0) }
        return numbers?.filter { $0 >= 15 }.max().map { "\(versions)/\($0)/bin" }
    }()

    /// Deleted by the shell that starts the server, because the shell outlives this process.
    package let folder: String
    /// The shell ends when this pipe is closed, even if this process is killed.
    private let pipe = Pipe()
    private let databases = Locked(0)

    private init() throws {
        let programs = try #require(Self.programs)
        folder = FileManager.default.temporaryDirectory.path() + "latchkey-postgres-\(getpid())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        var user: [String] = []
        if getuid() == 0 {
            try FileManager.default.setAttributes(
                [.ownerAccountName: "postgres", .groupOwnerAccountName: "postgres"], ofItemAtPath: folder)
            user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        }
        let shell = SpawnedProcess()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", Self.script, programs, folder] + user
        shell.currentDirectoryURL = URL(filePath: "/")
        shell.standardInput = pipe
        try shell.run()
        let ready = folder + "/ready"
        let end = ContinuousClock.now + .seconds(600)
        while !FileManager.default.fileExists(atPath: ready) {
            try #require(shell.isRunning && .now < end, "see \(folder)/log")
            usleep(20_000)
        }
    }

    /// $0 is the programs' folder, $1 the private folder, and the rest the command that changes the user.
    ///
    /// Without `fsync`, because the data need not survive the machine. If a database's `synchronous_commit` is `on`,
    /// each commit waits for a standby that does not exist.
    private static let script = """
        folder=$1; shift
        "$@" "$0/initdb" -N -D "$folder/data" -U latchkey -A trust -E UTF8 --locale=C.UTF-8 >"$folder/log" 2>&1 || exit 1
        "$@" "$0/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c max_connections=200 \
            -c shared_buffers=32MB -c synchronous_commit=local -c synchronous_standby_names=nobody </dev/null >>"$folder/log" 2>&1 &
        until "$0/pg_isready" -q -h "$folder" -U latchkey; do kill -0 $! || exit 1; sleep 0.05; done
        : >"$folder/ready"
        read -r line
        kill -INT $!; wait $!
        rm -rf "$folder"
        """

    /// The address of a new and empty database.
    package func newDatabase() throws -> String {
        let name = newDatabaseName()
        try run("createdb", ["--template=template0", name])
        return address(of: name)
    }

    /// A name that no existing database has.
    package func newDatabaseName() -> String {
        databases.withLock { number in
            number += 1
            return "test\(number)"
        }
    }

    package func address(of database: String) -> String { "postgresql://latchkey@/\(database)?host=\(folder)" }

    /// Starts pgbouncer, which gives each client a separate connection. Returns the folder of its socket, on port 6432.
    ///
    /// The caller must end the process.
    package func startPooler() throws -> (pooler: SpawnedProcess, folder: String) {
        let folder = self.folder + "/" + newDatabaseName()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        if getuid() == 0 {
            try FileManager.default.setAttributes([.ownerAccountName: "postgres"], ofItemAtPath: folder)
        }
        let settings = """
            [databases]
            * = host=\(self.folder) user=latchkey
            [pgbouncer]
            listen_addr =
            unix_socket_dir = \(folder)
            auth_type = any
            pool_mode = session
            """
        try Data(settings.utf8).write(to: URL(filePath: folder + "/pgbouncer.ini"))
        let process = SpawnedProcess()
        process.executableURL = URL(filePath: "/usr/sbin/pgbouncer")
        process.arguments = ["--quiet", folder + "/pgbouncer.ini"]
        if getuid() == 0 {
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            process.arguments =
                ["--reuid=postgres", "--regid=postgres", "--clear-groups", "/usr/sbin/pgbouncer"] + process.arguments
        }
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let end = ContinuousClock.now + .seconds(600)
        while !FileManager.default.fileExists(atPath: folder + "/.s.PGSQL.6432") {
            try #require(process.isRunning && .now < end)
            usleep(20_000)
        }
        return (process, folder)
    }

    /// A client program ended with this nonzero exit status.
    package struct Refused: Error { package let status: Int32 }

    /// Runs one of PostgreSQL's client programs and returns what it prints.
    @discardableResult
    package func run(_ program: String, _ arguments: [String]) throws -> String {
        let output = Pipe()
        let process = try start(program, arguments, output: output)
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Refused(status: process.terminationStatus) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs SQL in a database and returns the rows as psql prints them: columns with `|` between them.
    @discardableResult
    package func query(_ sql: String, in address: String) throws -> String {
        String(try run("psql", ["-XqAt", "-v", "ON_ERROR_STOP=1", "-c", sql, address]).dropLast())
    }

    /// Returns once a transaction in the database waits for a lock.
    package func whenLockIsAwaited(in address: String) async throws {
        let waiting = """
            SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        while try query(waiting, in: address) == "0" { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// Starts one of PostgreSQL's client programs.
    package func start(_ program: String, _ arguments: [String], output: Pipe? = nil) throws -> SpawnedProcess {
        let process = SpawnedProcess()
        process.executableURL = URL(filePath: try #require(Self.programs) + "/" + program)
        process.arguments = ["--host=\(folder)", "--username=latchkey"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}

extension StoreIdentity {
    /// The identity of a new store in tests without a key.
    package static func random() throws -> StoreIdentity {
        StoreIdentity(id: try RandomSource.system.bytes(16), keyTag: try RandomSource.system.bytes(32))
    }
}
