import LatchkeyForms
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ApplicationValueTests {
    struct MappingRow: Decodable {
        /// In JSON, like the claims and the values.
        let setting: String
        let groups: [String]
        let claims: String
        /// The mapped claims in JSON, or the failure.
        let values: String
        let why: String
    }

    struct CodeRow: Decodable {
        let typed: String
        let symbols: String?
        let why: String
    }

    @Test func `a mapping gives the claims in the table or is refused`() throws {
        for row in try Fixture.rows(of: MappingRow.self, in: "openid/claim-mappings.jsonl") {
            let setting = try #require(JSONValue(line: row.setting.utf8), "\(row.why)")
            let claims = try #require(JSONValue(line: row.claims.utf8))
            let values: String
            do throws(ClaimMapping.Failure) {
                let mapping = try ClaimMapping(setting)
                #expect(mapping.json == setting, "\(row.why)")
                values = JSONValue.object(mapping.values(groups: Set(row.groups)) { claims[$0] }).encoded
            } catch {
                values =
                    switch error {
                    case .malformed: "malformed"
                    case .name(let name): "name \(name)"
                    case .value(let name): "value \(name)"
                    }
            }
            #expect(values == row.values, "\(row.why)")
        }
        #expect(ClaimMapping.none.claims.isEmpty)
    }

    /// OpenID rule 22.
    @Test func `a typed code has the letters in the table`() throws {
        for row in try Fixture.rows(of: CodeRow.self, in: "openid/user-codes.jsonl") {
            #expect(UserCode(typed: Secret(row.typed))?.symbols.text == row.symbols, "\(row.why)")
        }
    }

    @Test func `a generated code is read as it is shown, and all letters occur alike`() throws {
        var counts: [Character: Int] = [:]
        let random = RandomSource.seeded(1)
        for _ in 0..<2_500 {
            let code = try UserCode(random: random)
            #expect(code.text.count == 9)
            #expect(try #require(UserCode(typed: Secret(code.text))).symbols.isEqual(to: code.symbols))
            for letter in code.symbols.text { counts[letter, default: 0] += 1 }
        }
        #expect(counts.keys.sorted() == Array("BCDFGHJKLMNPQRSTVWXZ"))
        // 1,000 of each are expected; five standard deviations are 154.
        #expect(counts.values.allSatisfy { 846...1_154 ~= $0 }, "\(counts)")
        #expect(throws: RandomSource.Unavailable.self) { _ = try UserCode(random: .exhausted) }
    }

    @Test func `claims that Latchkey sets are not free`() {
        #expect(ClaimNames.isFree("given_name"))
        #expect(ClaimNames.isFree("https://example.org/role"))
        for name in FieldClaim.reserved.union(["", "a b", "\u{E9}"]) {
            #expect(!ClaimNames.isFree(name), "\(name)")
        }
    }
}
