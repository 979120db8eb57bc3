import Foundation
import TestSupport
import Testing

/// `metrics`, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60)))
struct MetricsTests {
    @Test func `the metrics of a store are printed in Prometheus format`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "wrong\n")
        for name in ["bob", "eve"] {
            try sandbox.latchkey("accounts", "create", name, "--email", "\(name)@example.org", "--no-password")
        }
        try sandbox.latchkey("accounts", "disable", "eve")
        try sandbox.latchkey("accounts", "require-change", "bob")
        let store = try Data(contentsOf: sandbox.store)
        let first = try sandbox.latchkey("metrics")
        let page = try PrometheusPage(first.stdout)
        #expect(first.status == 0 && first.stderr.isEmpty)
        #expect(page[#"latchkey_accounts{state="active"}"#] == 2)
        #expect(page[#"latchkey_accounts{state="disabled"}"#] == 1)
        #expect(page[#"latchkey_accounts{state="unverified"}"#] == 0)
        #expect(page["latchkey_accounts_to_change_password"] == 1 && page["latchkey_sessions"] == 1)
        #expect(page["latchkey_outbox_messages"] == 0)
        let records = try #require(Double(try sandbox.sqlite("SELECT max(sequence) FROM audit")))
        #expect(page["latchkey_audit_records_total"] == records)
        let kept = try #require(page.metrics["latchkey_audit_kept_records"])
        #expect(kept.figures.map(\.number).reduce(0, +) == records)
        #expect(page[#"latchkey_audit_kept_records{event="authn_login_fail",outcome="failure"}"#] == 1)
        #expect(page[#"latchkey_audit_kept_records{event="user_created",outcome="success"}"#] == 3)
        #expect(page[#"latchkey_audit_kept_records{event="other",outcome="unknown"}"#] == 0)
        let newest = try #require(page["latchkey_audit_newest_record_timestamp_seconds"])
        #expect(abs(newest - Date.now.timeIntervalSince1970) < 3600)
        #expect(try sandbox.latchkey("metrics").stdout == first.stdout, "in one order")
        #expect(try Data(contentsOf: sandbox.store) == store)
        let json = try sandbox.latchkey("metrics", "--json").json()
        #expect((json["metrics"] as? String).map { $0 + "\n" } == first.stdout)
    }

    @Test func `without a store there are no metrics`() throws {
        let ending = try Sandbox().latchkey("metrics")
        #expect(ending.status == 66 && ending.stdout.isEmpty)
    }
}
