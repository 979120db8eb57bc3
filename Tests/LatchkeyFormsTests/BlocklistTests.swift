import Foundation
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyForms

@Suite(.timeLimit(.minutes(60)))
struct BlocklistTests {
    /// Entries for three pages, the last of which is not full.
    private static let entries = (0..<1200).map { "entry number \($0)" }

    private static func folded(_ text: String) throws -> FoldedPassword {
        let folded = try FoldedPassword(text.utf8Span)
        return try #require(folded)
    }

    private static func prefix(_ text: String) throws -> UInt64 {
        BlocklistDigest.sha256OfFolded.prefixes(of: try folded(text))[0]
    }

    /// A list of passwords in its file format.
    private static func list(of passwords: [String]) throws -> [UInt8] {
        list(.sha256OfFolded, try Set(passwords.map(prefix)).sorted())
    }

    private static func list(_ digest: BlocklistDigest, _ prefixes: [UInt64]) -> [UInt8] {
        let size = BlocklistFormat.prefixesPerPage
        let pages = stride(from: 0, to: prefixes.count, by: size).map {
            BlocklistFormat.page($0 / size, of: prefixes[$0..<min($0 + size, prefixes.count)])
        }
        return BlocklistFormat.head(digest, count: prefixes.count) + pages.joined()
    }

    /// The error of verifying a list, or of looking up a password in it.
    private func fault(in list: [UInt8], lookingUp password: FoldedPassword? = nil) -> BlocklistError? {
        let blocklist = Blocklist { BlocklistBytes(list) }
        do throws(BlocklistError) {
            if let password { _ = try blocklist.contains(password) } else { try blocklist.verify() }
            return nil
        } catch {
            return error
        }
    }

    private func isListed(_ password: String, _ list: [UInt8]) throws -> Bool {
        try Blocklist { BlocklistBytes(list) }.contains(Self.folded(password))
    }

    @Test func `a listed password is found in any case, and other passwords are not found`() throws {
        let list = try Self.list(of: Self.entries)
        #expect(try Blocklist { BlocklistBytes(list) }.verify() == 1200)
        for entry in Self.entries { #expect(try isListed(entry.uppercased(), list)) }
        for number in 1200..<1400 { #expect(try !isListed("entry number \(number)", list)) }
    }

    @Test(arguments: [0, 1, 510, 511, 512, 1022, 1023])
    func `a list of any length can be read`(count: Int) throws {
        let list = try Self.list(of: Array(Self.entries[..<count]))
        #expect(try Blocklist { BlocklistBytes(list) }.verify() == count)
        #expect(try Self.entries.filter { try isListed($0, list) }.count == count)
    }

    @Test func `a missing list contains no password`() throws {
        let none = Blocklist { nil }
        #expect(try none.verify() == nil)
        #expect(try !none.contains(Self.folded("password")))
    }

    /// S-20.
    @Test func `a flipped byte is detected when its page is read`() throws {
        let list = try Self.list(of: Self.entries)
        let sorted = try Self.entries.map { (prefix: try Self.prefix($0), password: try Self.folded($0)) }
            .sorted { $0.prefix < $1.prefix }
        for place in list.indices {
            var damaged = list
            damaged[place] ^= 1 << UInt8(place % 8)
            let page = max(0, place - 24) / 4096
            let found = fault(in: damaged, lookingUp: sorted[min(page * 511, 1199)].password)
            #expect(found == .damaged, "byte \(place)")
        }
    }

    @Test func `a truncated, extended, reordered or unsorted list is damaged`() throws {
        let list = try Self.list(of: Self.entries)
        var swapped = list
        swapped.replaceSubrange(24..<4120, with: list[4120..<8216])
        swapped.replaceSubrange(4120..<8216, with: list[24..<4120])
        let descending = Self.list(.sha256OfFolded, [3, 2, 1])
        let twice = Self.list(.sha256OfFolded, [1, 1])
        let acrossPages = Self.list(.sha256OfFolded, Array(1...511) + [511])
        let pastTheEnd = BlocklistFormat.head(.sha256OfFolded, count: .max)
        let lists: [[UInt8]] = [
            [], Array(list[..<23]), Array(list[..<24]), Array(list.dropLast()), list + [0], list + list, swapped,
            descending,
            twice, acrossPages, pastTheEnd, Array(repeating: 0, count: 4120),
        ]
        for list in lists { #expect(fault(in: list) == .damaged, "\(list.count) bytes") }
    }

    @Test func `a list of a newer version is reported as an unknown version`() throws {
        var head = Array("LKLIST".utf8) + [2, 1] + [UInt8](repeating: 0, count: 8)
        head += SHA256Digest.of(head.span)[..<8]
        #expect(fault(in: head) == .unknownVersion)
    }

    @Test func `a SHA-1 list is searched for the password as typed and in lower case`() throws {
        // The first 8 bytes of the SHA-1 (FIPS 180-4) of "Password1" and of "letmein".
        let list = Self.list(.sha1, [0x70CC_D900_7338_D6D8, 0xB7A8_75FC_1EA2_28B9].sorted())
        #expect(try isListed("Password1", list) && !isListed("password1", list) && !isListed("PASSWORD1", list))
        #expect(try isListed("letmein", list) && isListed("LetMeIn", list))
    }

    @Test func `the shipped list is intact and contains the passwords of its sources`() throws {
        #expect(try Blocklist.shipped.verify() == 100_000)
        let embedded = try BlocklistBytes.shipped.bytes(at: 0, count: BlocklistBytes.shipped.count)
        #expect(embedded == (try SourceTree.contents(of: "Blocklist/common-passwords.list")))
        #expect(embedded.count <= 1 << 20)
        for (source, step) in [("john", 7), ("django", 31)] {
            let text = String(
                decoding: try SourceTree.contents(of: "Blocklist/sources/\(source).txt"), as: UTF8.self)
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#!comment:") }
            for index in stride(from: 0, to: lines.count, by: step) {
                #expect(try Blocklist.shipped.contains(Self.folded(String(lines[index]))), "\(lines[index])")
            }
        }
    }

    /// S-19.
    @Test func `the script rebuilds the shipped list from its sources`() throws {
        let script = Fixture.folder.appending(path: "../../scripts/blocklist").standardized
        let process = SpawnedProcess()
        process.executableURL = script
        process.arguments = ["--check"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        for minimum in [9, 15] {
            let count = text.matches(of: /([0-9]+) with at least ([0-9]+) characters/).first {
                $0.output.2 == "\(minimum)"
            }
            #expect(try #require(count.flatMap { Int($0.output.1) }) >= 3000)
        }
    }
}
