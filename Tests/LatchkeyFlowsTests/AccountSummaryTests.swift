import LatchkeyFlows
import LatchkeyForms
import Testing

/// The identity and content of an account summary.
@Suite(.timeLimit(.minutes(60)))
struct AccountSummaryTests {
    private func ada(
        id: String = "7f", username: String = "ada", attributes: [String: FieldValue] = ["company": "Acme"],
        state: String = "active"
    ) -> AccountSummary {
        AccountSummary(
            id: id, username: username, email: "ada@example.org", attributes: attributes, state: state,
            createdAt: "2026-01-02T03:04:05Z")
    }

    @Test func `summaries of one account have the same identity even if their content differs`() {
        #expect(ada() == ada())
        for changed in [
            ada(username: "countess"), ada(attributes: [:]), ada(attributes: ["company": "Other"]),
            ada(attributes: ["firm": "Acme"]), ada(state: "disabled"),
        ] { #expect(changed.id == ada().id && changed != ada()) }
        #expect(ada(id: "80").id != ada().id && ada(id: "80") != ada())
    }

    @Test func `content is compared byte by byte`() {
        let (composed, apart) = ("caf\u{E9}", "cafe\u{301}")
        #expect(ada(username: composed) == ada(username: composed))
        #expect(ada(username: composed) != ada(username: apart))
        #expect(ada(attributes: ["company": .text(composed)]) != ada(attributes: ["company": .text(apart)]))
    }

    @Test func `comparing lists of accounts reveals additions, removals and changes`() {
        let before = [ada(id: "1"), ada(id: "2"), ada(id: "3")]
        let after = [ada(id: "1"), ada(id: "3", state: "disabled"), ada(id: "4")]
        let changes = after.map(\.id).difference(from: before.map(\.id))
        let changed = after.filter { new in before.contains { $0.id == new.id && $0 != new } }
        #expect(changes.insertions.count == 1 && changes.removals.count == 1 && changed.map(\.id) == ["3"])
    }
}
