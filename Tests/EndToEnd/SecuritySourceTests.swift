import Foundation
import Testing

/// What no source of ours may do, and what must not be in the binary.
@Suite struct SecuritySourceTests {
    private struct Line {
        let file: String
        let number: Int
        let code: Substring
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// Every line of `Sources`, without its comment.
    private static let lines: [Line] = {
        let sources = root.appending(path: "Sources").path
        var lines: [Line] = []
        for case let file as String in FileManager.default.enumerator(atPath: sources) ?? .init()
        where file.hasSuffix(".swift") {
            let text = (try? String(contentsOfFile: sources + "/" + file, encoding: .utf8)) ?? ""
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let code = line.drop { $0 == " " }.hasPrefix("//") ? "" : line
                lines.append(Line(file: file, number: index + 1, code: code))
            }
        }
        return lines
    }()

    private func lines() throws -> [Line] {
        try #require(Self.lines.count > 5000, "the sources were not found")
        return Self.lines
    }

    /// Where `pattern` is found in files other than those allowed, and that each of those has it.
    private func expect(
        _ pattern: String, onlyIn allowed: Set<String>, at place: SourceLocation = #_sourceLocation
    ) throws {
        // ICU's, which is many times quicker on so many lines than what Swift has.
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

    /// S-121: what goes to a terminal passes one of these, and each of them escapes.
    @Test func `only escaping writers write to a terminal`() throws {
        try expect(
            #"""
            \b (?: Glibc\.write | pwrite | writev | fputs | fputc | putchar | puts | fwrite | d?printf | fprintf
                | vprintf | perror | syslog | print | debugPrint | dump | FileHandle | OutputStream
                | TextOutputStream | sendto | sendmsg ) \b \s* [(.] | \bunsafe\ write\(
            """#,
            onlyIn: [
                "LatchkeyCommandLine/Output/Output.swift",
                // Files of ours, by their descriptor.
                "LatchkeySystem/Files/Descriptor.swift", "LatchkeySystem/Files/SharedBudget.swift",
                // What another program reads.
                "LatchkeySystem/Process/ChildProgram.swift",
                // The terminal's own bytes: what is drawn passes the escaper in its frames.
                "LatchkeyTerminal/Kit/DescriptorOutput.swift",
                // Pipes within the process, and the modes that a signal gives back.
                "LatchkeySystem/Process/ExitHandlers.swift", "LatchkeyTerminal/Device/Pipe.swift",
                "LatchkeyTerminal/Device/TerminalGuard.swift",
            ])
        try expect(
            #"\bstdout\b|\bstderr\b|STDOUT_FILENO|STDERR_FILENO"#,
            onlyIn: [
                "LatchkeyCommandLine/Output/Output.swift",
                // Where a progress bar is drawn, which escapes; and what hashes are written to is looked at.
                "LatchkeyCommandLine/Composition/Terminal.swift",
                "LatchkeyCommandLine/Provisioning/ExportRun.swift",
                // What another program says goes nowhere.
                "LatchkeySystem/Process/ChildProgram.swift",
            ])
    }

    /// S-85: a text that a crash prints could hold what somebody typed.
    @Test func `no crash message contains values`() throws {
        try expect(#"\b(?:fatalError|assertionFailure|assert|precondition)\s*\(|\btry!|\bas!"#, onlyIn: [])
        try expect(#"\bpreconditionFailure\s*\("#, onlyIn: ["LatchkeyText/Normalization.swift"])
        for line in try lines() where line.code.contains("preconditionFailure(") { #expect(!line.code.contains("\\(")) }
    }

    /// S-87.
    @Test func `random bytes have one source`() throws {
        try expect(
            #"""
            \b (?: random\(in | randomElement | shuffled?\( | SystemRandomNumberGenerator | getentropy | getrandom
                | arc4random | randombytes | drand48 | s?rand\( | urandom )
            """#,
            onlyIn: ["LatchkeySecrets/RandomSource.swift"])
    }

    /// S-125: those that prepare a statement take a `StaticString`, into which no value can be put, and nobody goes by them.
    @Test func `statements are literals prepared in one place`() throws {
        try expect(
            #"sqlite3_(?:prepare|exec|[a-z]*mprintf|get_table|str_append)"#,
            onlyIn: ["LatchkeySQLite/Connection/SQLiteConnection.swift"])
        let connection = try lines().filter { $0.file == "LatchkeySQLite/Connection/SQLiteConnection.swift" }
        let takers = connection.filter { $0.code.contains(#/sql: /#) }
        #expect(takers.count >= 4 && takers.allSatisfy { $0.code.contains("sql: StaticString") })
    }

    /// S-25.
    @Test func `secret bytes are compared in one place`() throws {
        try expect(#"\b(?:memcmp|sodium_memcmp|strcmp|strncmp|bcmp)\b"#, onlyIn: ["LatchkeySecrets/ConstantTime.swift"])
    }

    /// S-94: two locks of ours in front of SQLite's, each taken in one place.
    @Test func `a lock is taken in one place`() throws {
        try expect(
            #"\bFileLock\(|\bflock\("#,
            onlyIn: [
                "LatchkeySQLite/Schema/StoreFile.swift", "LatchkeySystem/Files/FileLock.swift",
                "LatchkeySystem/Files/SharedBudget.swift",
            ])
    }

    /// S-14, S-117: what is no UTF-8 is refused and never repaired. Those named decode what they or the system made.
    @Test func `bytes from outside become text only if they are valid UTF-8`() throws {
        for line in try lines() where line.code.contains("String(cString:") || line.code.contains("String(repairing") {
            Issue.record("\(line.file):\(line.number): \(line.code)")
        }
    }

    /// S-87, S-88: the doubles live in the test target. The scan is proved by what is there.
    @Test func `the binary contains no seeded random source and no test double`() throws {
        let binary = try Data(contentsOf: Sandbox.binary)
        func contains(_ text: String) -> Bool { binary.range(of: Data(text.utf8)) != nil }
        for present in ["RandomSource", "LocalNetworking", "SQLiteAccountStore", "Argon2Hasher"] {
            #expect(contains(present), "\(present)")
        }
        for absent in [
            "TestSupport", "seeded", "SplitMix", "SettableClock", "FakePasswordHasher", "MemoryMailer",
            "MemoryAccountStore", "FakeNetworking", "ScriptedNetworking", "StoreContract",
        ] {
            #expect(!contains(absent), "\(absent)")
        }
    }
}
