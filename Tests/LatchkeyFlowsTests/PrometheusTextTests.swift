import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

/// Metrics in Prometheus's format.
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

    @Test(arguments: [
        "latchkey_x 1\n", "# TYPE latchkey_x gauge\nlatchkey_x 1\n",
        "# HELP latchkey_x X.\n# TYPE latchkey_x gauge\n1\n",
        "# HELP latchkey_x X.\n# TYPE latchkey_x counter\n",
        "# HELP latchkey_x X.\n# TYPE latchkey_x gauge\nlatchkey_x 1",
        "# HELP latchkey_x X.\n# TYPE latchkey_x gauge\nlatchkey_x{a=\"\"b\"} 1\n",
        "# HELP latchkey_x X.\n# TYPE latchkey_x gauge\nlatchkey_x 1\nlatchkey_x 2\n",
    ])
    func `the page checker detects invalid pages`(text: String) {
        #expect(throws: PrometheusPage.Malformed.self) { try PrometheusPage(text) }
    }
}
