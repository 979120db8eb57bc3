import Foundation
import Testing

/// Rules for the sources and for the contents of the binary.
@Suite(.timeLimit(.minutes(60))) struct SourceRuleTests {
    private struct Line {
        let file: String
        let number: Int
        let code: Substring
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// Every line of `Sources` without comments, except the library that only tests use.
    private static let lines: [Line] = {
        let sources = root.appending(path: "Sources").path
        var lines: [Line] = []
        for case let file as String in FileManager.default.enumerator(atPath: sources) ?? .init()
        where file.hasSuffix(".swift") && !file.hasPrefix("Testing/") {
            let text = (try? String(contentsOfFile: sources + "/" + file, encoding: .utf8)) ?? ""
            // The name without the group's folder.
            let name = String(file.drop { $0 != "/" }.dropFirst())
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let code = line.drop { $0 == " " }.hasPrefix("//") ? "" : line
                lines.append(Line(file: name, number: index + 1, code: code))
            }
        }
        return lines
    }()

    private func lines() throws -> [Line] {
        try #require(Self.lines.count > 5000, "the sources were not found")
        return Self.lines
    }

    /// Expects `pattern` in all allowed files and in no others.
    private func expect(
        _ pattern: String, onlyIn allowed: Set<String>, at place: SourceLocation = #_sourceLocation
    ) throws {
        // Foundation's regular expressions, which are many times faster here than Swift's.
        let pattern = try NSRegularExpression(pattern: pattern, options: .allowCommentsAndWhitespace)
        var found: Set<String> = []
        for line in try lines() where !line.code.isEmpty {
            let code = String(line.code)
            let whole = NSRange(code.startIndex..., in: code)
            guard pattern.firstMatch(in: code, range: whole) != nil else { continue }
            if allowed.contains(line.file) {
                found.insert(line.file)
            } else {
                Issue.record("\(line.file):\(line.number): \(line.code)", sourceLocation: place)
            }
        }
        let present = try Set(lines().map(\.file))
        #expect(found == allowed.intersection(present), "allowed for nothing", sourceLocation: place)
    }

    /// S-121: all output to a terminal goes through one of these writers, which escape it.
    @Test func `output to a terminal goes only through writers that escape it`() throws {
        try expect(
            #"""
            \b (?: Glibc\.write | pwrite | writev | fputs | fputc | putchar | puts | fwrite | d?printf | fprintf
                | vprintf | perror | syslog | print | debugPrint | dump | FileHandle | OutputStream
                | TextOutputStream | sendto | sendmsg ) \b \s* [(.] | \bunsafe\ write\(
            """#,
            onlyIn: [
                "LatchkeyCommandLine/Output/Output.swift",
                // Latchkey's own files.
                "LatchkeySystem/Files/Descriptor.swift", "LatchkeySystem/Files/SharedBudget.swift",
                // A notification for the service manager.
                "LatchkeySystem/Process/UnixDatagram.swift",
                // The input of a child program.
                "LatchkeySystem/Process/ChildProgram.swift",
                // The terminal's control bytes; frames escape their text.
                "LatchkeyTerminal/Kit/DescriptorOutput.swift",
                // Pipes within the process, and terminal modes restored by a signal.
                "LatchkeySystem/Process/SignalNotice.swift", "LatchkeyTerminal/Device/Pipe.swift",
                "LatchkeyTerminal/Device/TerminalGuard.swift",
            ])
        try expect(
            #"\bstdout\b|\bstderr\b|STDOUT_FILENO|STDERR_FILENO"#,
            onlyIn: [
                "LatchkeyCommandLine/Output/Output.swift",
                // The progress bar, which escapes, and the check of where hashes are written.
                "LatchkeyCommandLine/Composition/Terminal.swift",
                "LatchkeyCommandLine/Commands/AccountsExportCommand.swift",
                // The output of a child program is discarded.
                "LatchkeySystem/Process/ChildProgram.swift",
                // A closed standard output is replaced by a file that cannot be written.
                "LatchkeySystem/Process/ProcessGuard.swift",
            ])
    }

    /// S-85: a crash message with values could contain input.
    @Test func `crash messages contain no values`() throws {
        try expect(#"\b(?:fatalError|assertionFailure|assert|precondition)\s*\(|\btry!|\bas!"#, onlyIn: [])
        try expect(
            #"\bpreconditionFailure\s*\("#,
            onlyIn: ["LatchkeyText/Normalization.swift", "LatchkeyText/Scalar+Unistring.swift"])
        for line in try lines() where line.code.contains("preconditionFailure(") { #expect(!line.code.contains("\\(")) }
    }

    /// S-87.
    @Test func `random bytes come from one source`() throws {
        try expect(
            #"""
            \b (?: random\(in | randomElement | shuffled?\( | SystemRandomNumberGenerator | getentropy | getrandom
                | arc4random | randombytes | drand48 | s?rand\( | urandom )
            """#,
            onlyIn: ["LatchkeySecrets/RandomSource.swift"])
    }

    /// S-125: functions that prepare a statement take a `StaticString`, which cannot contain values, or literals that a
    /// copy of all tables joins, and nothing bypasses them.
    @Test func `SQL statements are literals that are prepared in one place`() throws {
        try expect(
            #"sqlite3_(?:prepare|exec|[a-z]*mprintf|get_table|str_append)"#,
            onlyIn: ["LatchkeySQLite/Connection/SQLiteConnection.swift"])
        try expect(
            #"PQ(?:exec|prepare|sendQuery|sendPrepare)"#,
            onlyIn: [
                "LatchkeyPostgres/Connection/PostgresBatch.swift",
                "LatchkeyPostgres/Connection/PostgresConnection.swift",
            ])
        for (file, least) in [
            ("LatchkeySQLite/Connection/SQLiteConnection.swift", 4),
            ("LatchkeyPostgres/Connection/PostgresConnection.swift", 4),
            ("LatchkeyPostgres/Connection/PostgresBatch.swift", 3),
        ] {
            let takers = try lines().filter {
                $0.file == file && $0.code.contains(#/sql: /#) && $0.code.contains("func ")
            }
            #expect(takers.count >= least)
            for taker in takers {
                #expect(taker.code.contains(/sql: StaticString|joining sql: String/), "\(taker.code)")
            }
        }
        try expect(
            #"[(]joining:|^\s+joining:"#,
            onlyIn: [
                "LatchkeySQLite/Connection/SQLiteConnection.swift", "LatchkeySQLite/Maintenance/InvalidValue.swift",
                "LatchkeySQLite/Maintenance/SQLiteTables.swift", "LatchkeyPostgres/PostgresTables.swift",
                "LatchkeyPostgres/Connection/PostgresBatch.swift",
                "LatchkeyPostgres/Connection/PostgresConnection.swift",
            ])
    }

    /// S-25.
    @Test func `secret bytes are compared in one place`() throws {
        try expect(#"\b(?:memcmp|sodium_memcmp|strcmp|strncmp|bcmp)\b"#, onlyIn: ["LatchkeySecrets/ConstantTime.swift"])
    }

    /// S-94: the two locks before SQLite's lock are each taken in one place. A service holds a third one while it runs.
    @Test func `locks are taken only in the listed files`() throws {
        try expect(
            #"\bFileLock\(|\bflock\("#,
            onlyIn: [
                "LatchkeyCommandLine/Composition/Installation+Serving.swift", "LatchkeySQLite/Schema/StoreFile.swift",
                "LatchkeySystem/Files/FileLock.swift",
                "LatchkeySystem/Files/SharedBudget.swift",
            ])
    }

    /// Another thread could create a file in the meantime, which others could then read.
    @Test func `the umask of all threads changes only before there are others`() throws {
        try expect(
            #"\bumask\("#,
            onlyIn: ["LatchkeySystem/Process/ProcessGuard.swift", "LatchkeySystem/Process/InheritedEnvironment.swift"])
    }

    /// S-14, S-117: invalid UTF-8 is refused and never repaired. The listed files decode only their own or the system's
    /// text.
    @Test func `external bytes become strings only if they are valid UTF-8`() throws {
        for line in try lines() where line.code.contains("String(cString:") || line.code.contains("String(repairing") {
            Issue.record("\(line.file):\(line.number): \(line.code)")
        }
    }

    /// S-87, S-88: the doubles are in the test target. Known symbols prove that the scan works.
    @Test func `the binary contains no seeded random source and no test double`() throws {
        let binary = try Data(contentsOf: Sandbox.binary)
        func contains(_ text: String) -> Bool { binary.range(of: Data(text.utf8)) != nil }
        for present in ["RandomSource", "LocalNetworking", "SQLiteAccountStore", "Argon2Hasher"] {
            #expect(contains(present), "\(present)")
        }
        for absent in [
            "TestSupport", "LatchkeyTesting", "seeded", "SplitMix", "VirtualClock", "FakePasswordHasher",
            "MemoryMailer", "MemoryAccountStore", "ScriptedTerminal", "ScriptedNetworking", "StoreContract",
        ] {
            #expect(!contains(absent), "\(absent)")
        }
    }

    /// Each library costs the loader at least a twentieth of a millisecond. Code that needs them is in
    /// `latchkey-service`.
    @Test func `the command loads no library that only a service needs`() throws {
        let binary = try Data(contentsOf: Sandbox.binary)
        func loads(_ library: String) -> Bool { binary.range(of: Data("\(library).so".utf8)) != nil }
        #expect(loads("libsqlite3") && loads("libsodium"))
        for library in ["libcurl", "libgmp", "libhogweed", "libmicrohttpd", "libpq"] {
            #expect(!loads(library), "\(library)")
        }
    }
}
