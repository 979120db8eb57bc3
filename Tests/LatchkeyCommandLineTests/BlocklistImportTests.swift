import LatchkeyForms
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyCommandLine

/// S-21. A low memory limit causes all runs to be merged. An import of 10,000,000 lines is measured by hand.
@Suite(.timeLimit(.minutes(60)))
struct BlocklistImportTests {
    let temporary: TemporaryFolder
    let location: StoreLocation

    init() throws {
        let temporary = try TemporaryFolder()
        self.temporary = temporary
        location = try StoreLocation(
            Settings(
                flags: [Invocation.Flag(name: "store", value: Argument(temporary.path(of: "accounts.sqlite")))],
                environment: ProcessEnvironment { _ in nil }))
    }

    private func run(_ text: [UInt8], isPlain: Bool = false, limit: Int = 7) throws -> Int {
        let path = try temporary.write(text, to: "lines")
        let lines = InputLines(try GivenFile(at: path), named: "lines")
        return try BlocklistImport(lines, nextTo: location, isPlain: isPlain, limit: limit).perform()
    }

    private func run(_ text: String, isPlain: Bool = false, limit: Int = 7) throws -> Int {
        try run(Array(text.utf8), isPlain: isPlain, limit: limit)
    }

    private func isListed(_ password: String) throws -> Bool {
        let passwords = CommonPasswords(lists: [OperatorLists(folder: temporary.path).blocklist], serviceName: "")
        return try passwords.reason(against: password.utf8Span, in: PasswordContext()) == .listed
    }

    private func badLine(_ text: [UInt8], isPlain: Bool = false) throws -> Int? {
        do {
            _ = try run(text, isPlain: isPlain)
            return nil
        } catch BlocklistImport.Refusal.badLine(let number) {
            return number
        }
    }

    @Test(arguments: [1, 2, 7, 100, 5000])
    func `every distinct line is imported once, even with little memory`(limit: Int) throws {
        let lines = (0..<1500).map { "Line \($0 % 1200)" }
        #expect(try run(lines.joined(separator: "\n"), limit: limit) == 1200)
        #expect(try OperatorLists(folder: temporary.path).blocklist.verify() == 1200)
        for number in stride(from: 0, to: 1200, by: 13) { #expect(try isListed("lINE \(number)")) }
        #expect(try !isListed("line 1200") && !isListed("Line"))
        #expect(temporary.mode(of: "blocklist") == 0o600)
        #expect(try temporary.names == ["blocklist", "lines"], "nothing else is left behind")
    }

    @Test func `imported passwords are folded like those that are looked up`() throws {
        #expect(try run("STRASSE 12\r\n\r\nm\u{fc}nchen 1860\n \u{3000}x\n") == 3)
        #expect(try isListed("stra\u{df}e 12") && isListed("Mu\u{308}NCHEN 1860") && isListed("  X"))
    }

    @Test func `digests are read in the format of the downloadable list`() throws {
        // SHA-1 of "letmein" and of "Password1".
        let text = "B7A875FC1EA228B9061041B7CEC4BD3C52AB3CE3:1234\r\n70ccd9007338d6d81dd3b6271621b9cf9a97ea00\n"
        #expect(try run(text) == 2)
        #expect(try isListed("LetMeIn") && isListed("Password1") && !isListed("password1"))
        #expect(try run(text, isPlain: true) == 2)
        #expect(try !isListed("letmein") && isListed("70CCD9007338D6D81DD3B6271621B9CF9A97EA00"))
    }

    @Test func `an invalid line is reported with its number and leaves the old list`() throws {
        #expect(try run("the one before\n") == 1)
        let digest = Array("B7A875FC1EA228B9061041B7CEC4BD3C52AB3CE3:1\n".utf8)
        #expect(try badLine(digest + digest + Array("letmein\n".utf8)) == 3)
        #expect(try badLine(digest + Array("\nB7A875FC1EA228B9061041B7CEC4BD3C52AB3CE3:".utf8)) == 3)
        #expect(try badLine(digest.dropLast(2) + Array("x\n".utf8), isPlain: true) == nil)
        #expect(try run("the one before\n") == 1)
        #expect(try badLine(Array("fine\n".utf8) + [0xFF, 10]) == 2)
        #expect(try badLine([UInt8](repeating: 0x61, count: 1025)) == 1)
        #expect(try badLine(Array("a\nb\n".utf8) + [UInt8](repeating: 0x61, count: 2_000_000) + [10, 0x62]) == 3)
        #expect(try isListed("THE ONE BEFORE"))
        #expect(try temporary.names == ["blocklist", "lines"])
    }

    @Test func `empty input produces an empty list, and a missing folder is an error`() throws {
        #expect(try run("") == 0)
        #expect(try OperatorLists(folder: temporary.path).blocklist.verify() == 0)
        let nowhere = try StoreLocation(
            Settings(
                flags: [Invocation.Flag(name: "store", value: Argument(temporary.path(of: "no/accounts.sqlite")))],
                environment: ProcessEnvironment { _ in nil }))
        let lines = InputLines(try GivenFile(at: temporary.path(of: "lines")), named: "lines")
        do {
            _ = try BlocklistImport(lines, nextTo: nowhere, isPlain: false).perform()
            Issue.record("imported")
        } catch BlocklistImport.Refusal.file(let error) {
            #expect(error == .notFound)
        }
    }
}
