import Foundation
import TestSupport
import Testing

/// Every module of the certification plans, and every mistake of other providers, has a test whose comment names it.
@Suite(.timeLimit(.minutes(60)))
struct CoverageTests {
    struct Module: Decodable {
        let module: String
        let parameters: [String: String]?
    }

    struct Mistake: Decodable {
        let number: Int
    }

    /// The comments of the tests about OpenID, and the text of the benchmarks.
    private static func comments() throws -> [Substring] {
        let folders = [
            "Tests/OpenID", "Tests/LatchkeyServerTests/OpenID", "Tests/LatchkeyAccountsTests",
            "Tests/LatchkeyPublicKeysTests", "Bench",
        ]
        return try folders.flatMap(SourceTree.files).filter { $0.hasSuffix(".swift") || $0.hasSuffix(".py") }.flatMap {
            file in
            String(decoding: try SourceTree.contents(of: file), as: UTF8.self).split(separator: "\n").filter {
                file.hasSuffix(".py") || $0.drop { $0 == " " }.hasPrefix("///")
            }
        }
    }

    @Test func `each module of the certification plans has a test`() throws {
        let modules = try Fixture.rows(of: Module.self, in: "openid/certification.jsonl")
        let names = Set(modules.map(\.module))
        #expect(modules.count == 47 && names.count == 47)
        let named = Set(try Self.comments().flatMap { $0.matches(of: /oidcc-[a-z0-9-]*[a-z0-9]/).map { String($0.0) } })
        let inTable = Set(modules.filter { $0.parameters != nil }.map(\.module))
        #expect(names.subtracting(inTable).subtracting(named).sorted() == [], "these have no test")
        #expect(named.subtracting(names).sorted() == [], "these are not in the table")
    }

    @Test func `each mistake of other providers has an attack`() throws {
        let numbers = Set(try Fixture.rows(of: Mistake.self, in: "openid/mistakes.jsonl").map(\.number))
        #expect(numbers.count == 18)
        let named = Set(
            try Self.comments().flatMap { line in
                line.matches(of: /[Mm]istakes? ([0-9]+(?:(?:, | and )[0-9]+)*)(?: of peers)?/).flatMap { match in
                    match.1.matches(of: /[0-9]+/).compactMap { Int($0.0) }
                }
            })
        #expect(numbers.subtracting(named).sorted() == [], "these have no test")
        #expect(named.subtracting(numbers).sorted() == [], "these are not in the table")
    }
}
