import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct InternationalDomainTests {
    struct Row: Decodable, Sendable {
        let domain: String
        /// The ASCII form of a domain that is valid without mapping.
        let ascii: String?
        /// The ASCII form of a domain that is valid only after mapping.
        let mapped: String?
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/international-domains.jsonl"))
    func `a domain is accepted or refused without mapping as in the table`(row: Row) {
        #expect(InternationalDomain(row.domain.utf8Span)?.ascii == row.ascii, "\(row.why)")
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/international-domains.jsonl"))
    func `a domain is mapped or refused as in the table`(row: Row) {
        #expect(
            InternationalDomain(mapping: row.domain.utf8Span)?.ascii == row.mapped ?? row.ascii, "\(row.why)")
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/international-domains.jsonl"))
    func `the ASCII form of a domain is valid and does not change when it is mapped again`(row: Row) throws {
        guard let ascii = row.mapped ?? row.ascii else { return }
        #expect(LDHName(ascii.utf8Span.span) != nil)
        #expect(ascii.utf8.count <= 253)
        #expect(InternationalDomain(ascii.utf8Span)?.ascii == ascii, "\(row.why)")
    }

    @Test func `a valid random domain keeps its ASCII form`() {
        var generator = SeededGenerator(seed: 46)
        var valid = 0
        for _ in 0..<4_000 {
            let text = generator.text(upTo: 6)
            guard let domain = InternationalDomain(text.utf8Span) else { continue }
            valid += 1
            // Mapping does not change a domain that is valid without it.
            #expect(InternationalDomain(mapping: text.utf8Span)?.ascii == domain.ascii)
            #expect(InternationalDomain(domain.ascii.utf8Span)?.ascii == domain.ascii)
        }
        #expect(valid > 100)
    }
}
