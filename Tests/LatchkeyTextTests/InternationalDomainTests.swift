import LatchkeyText
import TestSupport
import Testing

struct InternationalDomainTests {
    struct Row: Decodable, Sendable {
        let domain: String
        /// What goes into the DNS, where the domain is valid as it stands.
        let ascii: String?
        /// The same where it is valid only once it is mapped.
        let mapped: String?
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/international-domains.jsonl"))
    func `a domain is valid as it stands or not as the table says`(row: Row) {
        #expect(InternationalDomain(row.domain.utf8Span)?.ascii == row.ascii, "\(row.why)")
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/international-domains.jsonl"))
    func `a domain is mapped or refused as the table says`(row: Row) {
        #expect(
            InternationalDomain(mapping: row.domain.utf8Span)?.ascii == row.mapped ?? row.ascii, "\(row.why)")
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/international-domains.jsonl"))
    func `what goes into the DNS is a valid domain of the same name`(row: Row) throws {
        guard let ascii = row.mapped ?? row.ascii else { return }
        #expect(LDHName(ascii.utf8Span.span) != nil)
        #expect(ascii.utf8.count <= 253)
        #expect(InternationalDomain(ascii.utf8Span)?.ascii == ascii, "\(row.why)")
    }

    @Test func `random texts are judged twice alike`() {
        var generator = SeededGenerator(seed: 46)
        var valid = 0
        for _ in 0..<4_000 {
            let text = generator.text(upTo: 6)
            guard let domain = InternationalDomain(text.utf8Span) else { continue }
            valid += 1
            // Whatever is valid as it stands is not changed by mapping.
            #expect(InternationalDomain(mapping: text.utf8Span)?.ascii == domain.ascii)
            #expect(InternationalDomain(domain.ascii.utf8Span)?.ascii == domain.ascii)
        }
        #expect(valid > 100)
    }
}
