import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeyProvisioning
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

/// Reading and checking the rows of a file.
@Suite(.timeLimit(.minutes(60)))
struct RowReaderTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let format: String
        let text: String?
        let hex: String?
        /// `LINE:COLUMN FIELD CODE`, with `-` for no field. A duplicate ends with the line of the first row.
        let problems: [String]
        /// The usernames of the valid rows.
        let good: [String]?
        let why: String
        var testDescription: String { "\(format): \(why)" }

        var bytes: [UInt8] {
            if let text { return Array(text.utf8) }
            let digits = (hex ?? "").compactMap { $0.hexDigitValue.map(UInt8.init) }
            return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ bytes: [UInt8]) throws -> RereadableFile {
        let path = try folder.write(bytes, to: UUID().uuidString)
        return try RereadableFile(GivenFile(at: path)) { () throws(FileError) in throw .notFound }
    }

    private func service() throws -> AccountService {
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        return AccountService(
            store: MemoryAccountStore(), hasher: try Argon2Hasher(slots: 1), mailer: MemoryMailer(),
            clock: VirtualClock(), random: .system, key: key)
    }

    private func form() throws -> Form { try FormCatalogue.shipped.form(for: .setup) }

    private func options(_ format: RowFormat, resetting: Bool = false) -> ImportOptions {
        var options = ImportOptions(format: format, jobs: 1)
        if resetting { options.resetsPassword = { UnsupportedScheme(of: $0).map { !Self.kept.contains($0) } ?? true } }
        return options
    }

    /// Schemes whose hashes are refused even if weak ones are dropped.
    private static let kept: [UnsupportedScheme] = [.noPassword, .sealed, .bcryptX, .argon2Version10, .malformed]

    private func read(
        _ bytes: [UInt8], _ format: RowFormat, resetting: Bool = false
    ) throws -> (good: [CheckedAccount], problems: [RowProblem]) {
        var reader = RowReader(try file(bytes), options(format, resetting: resetting), try form(), try service())
        if let problem = try reader.readHeader() { return ([], [problem]) }
        var good: [CheckedAccount] = []
        var problems: [RowProblem] = []
        while let row = try reader.next() {
            switch row {
            case .valid(let row): good.append(row.account)
            case .refused(let found): problems += found
            }
        }
        return (good, problems)
    }

    private func text(_ problem: RowProblem) -> String {
        var text = "\(problem.line)" + (problem.column.map { ":\($0)" } ?? "")
        text += " \(problem.failure.field?.rawValue ?? "-") \(problem.failure.code.rawValue)"
        if case .integer(let line) = problem.failure.values["line"] { text += " \(line)" }
        return text
    }

    /// S-14, S-29, S-31, S-117, S-118, S-120, S-126.
    @Test(arguments: try Fixture.rows(of: Case.self, in: "import/rows.jsonl"))
    func `rows are accepted, or refused with their position`(row: Case) throws {
        let format = try #require(RowFormat(rawValue: row.format))
        let (good, problems) = try read(row.bytes, format)
        #expect(problems.map(text) == row.problems, "\(row.why)")
        #expect(good.map(\.name) == row.good ?? [], "\(row.why)")
        // Every problem has a sentence, and no problem quotes the file.
        for problem in problems {
            let code = "rule." + problem.failure.code.rawValue
            #expect(MessageTable.english.completed(by: .provisioning).has(code), "\(code)")
            for case .text(let value) in problem.failure.values.values where value.utf8.count > 3 {
                #expect(!String(decoding: row.bytes, as: UTF8.self).contains(value) || value == "username")
            }
        }
    }

    @Test(arguments: try Fixture.rows(of: Case.self, in: "import/rows.jsonl"), [(1, 250), (2, 1), (3, 2)])
    func `several readers together return the rows of one`(row: Case, sharing: (readers: Int, rows: Int)) async throws {
        let options = options(try #require(RowFormat(rawValue: row.format)))
        var pages = try RowPages(
            of: try file(row.bytes), options, try form(), try service(), readers: sharing.readers,
            rowsPerPage: sharing.rows)
        var good: [String] = []
        var problems: [String] = []
        while let page = try await pages.next() {
            for row in page {
                switch row {
                case .valid(let row):
                    good.append(row.account.name)
                    #expect(row.line > 0)
                case .refused(let found): problems += found.map(text)
                }
            }
        }
        #expect(problems == row.problems, "\(row.why)")
        #expect(good == row.good ?? [], "\(row.why)")
    }

    /// The lengths of the rows vary, so that the buffer ends at every part of a row.
    @Test(arguments: RowFormat.allCases)
    func `rows are read correctly at every buffer boundary`(format: RowFormat) throws {
        let count = 2500
        var lines: [String] = format == .csv ? ["username,email,password"] : []
        for number in 0..<count {
            let password = #"correct ""horse"", battery"# + String(repeating: "x", count: number % 97)
            lines.append(
                format == .csv
                    ? #"n\#(number),n\#(number)@example.org,"\#(password)""#
                    : #"{"username":"n\#(number)","email":"n\#(number)@example.org","password":"\#(password.replacing(#""""#, with: "'"))"}"#
            )
        }
        let (good, problems) = try read(Array(lines.joined(separator: "\r\n").utf8), format)
        #expect(problems.isEmpty)
        #expect(good.map(\.name) == (0..<count).map { "n\($0)" })
    }

    /// S-118: the limit is 128 KiB, because the locked buffer does not grow.
    @Test(arguments: RowFormat.allCases)
    func `a line that is too long is skipped`(format: RowFormat) throws {
        let head = format == .csv ? "username,email\n" : ""
        func row(_ name: String, padding: Int) -> String {
            let spaces = String(repeating: " ", count: padding)
            return format == .csv
                ? "\(name),\(spaces)\(name)@example.org\n"
                : #"{"username":"\#(name)",\#(spaces)"email":"\#(name)@example.org"}"# + "\n"
        }
        let length = row("ada", padding: 0).utf8.count - 1
        let whole = row("ada", padding: RowCells.maximumBytes - length)
        let over = row("bo", padding: RowCells.maximumBytes - length + 3)
        let long = row("cy", padding: 10_000_000)
        let (good, problems) = try read(Array((head + whole + over + long + row("di", padding: 0)).utf8), format)
        let first = format == .csv ? 2 : 1
        // In CSV the spaces are part of the address, which is too long before it is trimmed.
        let cell = format == .csv ? ["\(first):5 email_field too_long"] : []
        #expect(
            problems.map(text) == cell + ["\(first + 1) - too_long", "\(first + 2) - too_long"])
        #expect(good.map(\.name) == (format == .csv ? ["di"] : ["ada", "di"]))
    }

    @Test func `a missing quotation mark affects only its own row`() throws {
        var text = "username,email\nada,\"ada@example.org\n"
        // More rows than the longest line can contain.
        for number in 0..<6000 { text += "n\(number),n\(number)@example.org\n" }
        let (good, problems) = try read(Array(text.utf8), .csv)
        #expect(problems.map(self.text) == ["2:5 - csv_open"])
        #expect(good.count == 6000)
    }

    /// S-29.
    @Test func `weak hashes are dropped on request`() throws {
        struct Row: Decodable {
            let hash: String
            let scheme: String?
            let error: String
        }
        let rows = try Fixture.rows(of: Row.self, in: "hashing/unverified.jsonl").filter {
            $0.error == "unsupported" && $0.scheme != "none"
        }
        for row in rows + [Row(hash: "hunter2 and more", scheme: nil, error: "unsupported")] {
            let line = try JSONSerialization.data(
                withJSONObject: ["username": "ada", "email": "ada@example.org", "password_hash": row.hash])
            #expect(try read(Array(line), .jsonl).problems.map(\.failure.code) == [.hashUnsupported], "\(row.hash)")
            let (good, problems) = try read(Array(line), .jsonl, resetting: true)
            #expect(
                good.count == (row.scheme.flatMap(UnsupportedScheme.init).map(Self.kept.contains) == true ? 0 : 1),
                "\(row.hash)")
            #expect(problems.count == 1 - good.count, "\(row.hash)")
        }
    }

    /// S-15, S-16, S-31.
    @Test(arguments: try Fixture.rows(of: Case.self, in: "import/duplicates.jsonl"), [1, 2, 100])
    func `duplicates are found even if few digests fit into memory`(row: Case, limit: Int) throws {
        let format = try #require(RowFormat(rawValue: row.format))
        let folder = try GuardedFolder(at: self.folder.path)
        var search = DuplicateSearch(limit: limit) { () throws(FileError) in try FileDraft(of: "spool", in: folder) }
        let (good, problems) = try read(row.bytes, format)
        for account in good { try search.add(account) }
        var repeated = try search.repeatedValues()
        var reader = RowReader(try file(row.bytes), options(format), try form(), try service())
        _ = try reader.readHeader()
        var found = problems
        var left: [String] = []
        while let next = try reader.next() {
            guard case .valid(let row) = next else { continue }
            let duplicates = repeated.duplicates(in: row.account, line: row.line)
            if duplicates.isEmpty { left.append(row.account.name) }
            found += duplicates.map { row.duplicate(of: $0.field, line: $0.line) }
        }
        #expect(found.map(text) == row.problems, "\(row.why)")
        #expect(left == row.good, "\(row.why)")
    }
}
