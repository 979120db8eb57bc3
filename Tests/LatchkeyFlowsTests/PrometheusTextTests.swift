import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

/// Figures as Prometheus reads them.
@Suite(.timeLimit(.minutes(60)))
struct PrometheusTextTests {
    @Test func `characters that would end a line or a label are escaped`() throws {
        var text = PrometheusText()
        text.add(
            "latchkey_things", .gauge, "One \\ two\nthree \"four\".",
            [.init(1, [("name", "a\"b\\c\nd é")]), .init(-2, [("name", ""), ("kind", "x")]), .init(3)])
        #expect(
            text.lines == [
                #"# HELP latchkey_things One \\ two\nthree "four"."#, "# TYPE latchkey_things gauge",
                #"latchkey_things{name="a\"b\\c\nd é"} 1"#, #"latchkey_things{name="",kind="x"} -2"#,
                "latchkey_things 3",
            ])
        let page = try PrometheusPage(text.text)
        #expect(page[#"latchkey_things{name="a\"b\\c\nd é"}"#] == 1)
    }

    @Test(arguments: [
        (Duration.zero, "0.0"), (.milliseconds(1500), "1.5"), (.microseconds(1), "1e-06"), (.seconds(86400), "86400.0"),
        (.milliseconds(1_767_225_600_123), "1767225600.123"),
    ])
    func `a duration is printed in seconds`(time: Duration, number: String) {
        var text = PrometheusText()
        text.add("latchkey_age_seconds", .gauge, "How old.", [.init(time)])
        #expect(text.lines.last == "latchkey_age_seconds " + number)
    }

    @Test func `counted calls make a page`() throws {
        var metrics = CallMetrics()
        let start = ContinuousClock.now
        for (id, milliseconds) in [(1, 250), (2, 500), (3, 4000)] as [(UInt64, Int)] {
            metrics.take(.event(.began(id: id, call: .login)), at: start)
            metrics.take(
                .event(.ended(id: id, call: .login, code: id == 3 ? .success : .invalidCredentials)),
                at: start.advanced(by: .milliseconds(milliseconds)))
        }
        metrics.take(.event(.began(id: 4, call: .setup)), at: start)
        metrics.take(.missed(7), at: start)
        metrics.take(.event(.ended(id: 4, call: .setup, code: .taken)), at: start)
        metrics.take(.event(.began(id: 5, call: .setup)), at: start)
        let page = try PrometheusPage(metrics.prometheus.text)
        #expect(
            page.names == [
                "latchkey_calls_total", "latchkey_call_duration_seconds", "latchkey_calls_running",
                "latchkey_events_missed_total",
            ])
        #expect(page[#"latchkey_calls_total{call="login",code="invalid_credentials"}"#] == 2)
        #expect(page[#"latchkey_calls_total{call="login",code="success"}"#] == 1)
        #expect(page[#"latchkey_calls_total{call="setup",code="taken"}"#] == 1)
        #expect(page[#"latchkey_call_duration_seconds_sum{call="login"}"#] == 4.75)
        #expect(page[#"latchkey_call_duration_seconds_count{call="login"}"#] == 3)
        #expect(page[#"latchkey_call_duration_seconds_count{call="setup"}"#] == nil, "its start is unknown")
        #expect(page["latchkey_calls_running"] == 1 && page["latchkey_events_missed_total"] == 7)
        #expect(metrics.prometheus.text == metrics.prometheus.text, "in one order")
    }

    @Test func `an empty page is valid`() throws {
        #expect(try PrometheusPage(CallMetrics().prometheus.text)["latchkey_calls_running"] == 0)
    }

    @Test(arguments: [
        "latchkey_x 1\n", "# TYPE latchkey_x gauge\nlatchkey_x 1\n",
        "# HELP latchkey_x X.\n# TYPE latchkey_x gauge\n1\n",
        "# HELP latchkey_x X.\n# TYPE latchkey_x counter\n",
        "# HELP latchkey_x X.\n# TYPE latchkey_x gauge\nlatchkey_x 1",
        "# HELP latchkey_x X.\n# TYPE latchkey_x gauge\nlatchkey_x{a=\"\"b\"} 1\n",
        "# HELP latchkey_x X.\n# TYPE latchkey_x gauge\nlatchkey_x 1\nlatchkey_x 2\n",
    ])
    func `the page checker finds invalid pages`(text: String) {
        #expect(throws: PrometheusPage.Malformed.self) { try PrometheusPage(text) }
    }
}
