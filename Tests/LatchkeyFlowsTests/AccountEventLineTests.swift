import Foundation
import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

/// Events as lines of JSON, and back.
@Suite(.timeLimit(.minutes(60)))
struct AccountEventLineTests {
    static let events: [(AccountEvent, String)] = [
        (.call(.began(id: 1, call: .login)), #"{"event":"call_began","id":1,"call":"login"}"#),
        (
            .call(.ended(id: 1, call: .forgotPassword, code: .invalidCredentials)),
            #"{"event":"call_ended","id":1,"call":"forgotPassword","code":"invalid_credentials"}"#
        ),
        (.call(.abandoned(id: 2, call: .setup)), #"{"event":"call_abandoned","id":2,"call":"setup"}"#),
        (
            .call(
                .refused(
                    id: 2, call: .setup,
                    .answers([FieldRefusal(field: .username, code: .taken), FieldRefusal(field: nil, code: .required)]))
            ),
            #"{"event":"call_refused","id":2,"call":"setup","failures":"#
                + #"[{"field":"username","code":"taken"},{"field":null,"code":"required"}]}"#
        ),
        (
            .call(.refused(id: 3, call: .login, .throttled(retryAfter: .milliseconds(27_500)))),
            #"{"event":"call_refused","id":3,"call":"login","retry_after_ms":27500}"#
        ),
        (
            .form(.invalid(form: "setup", [FieldRefusal(field: .email, code: .email)])),
            #"{"event":"form_invalid","form":"setup","failures":[{"field":"email_field","code":"email"}]}"#
        ),
        (.navigation(.opened(.setup)), #"{"event":"navigation_opened","to":"setup"}"#),
        (
            .navigation(.moved(from: .login, to: .setup, .link)),
            #"{"event":"navigation_moved","from":"login","to":"setup","reason":"link"}"#
        ),
        (.navigation(.left(.login)), #"{"event":"navigation_left","from":"login"}"#),
        (.activity(.busy), #"{"event":"busy"}"#), (.activity(.idle), #"{"event":"idle"}"#),
        (.session(.began(account: "7f")), #"{"event":"session_began","account":"7f"}"#),
        (.session(.ended(account: nil)), #"{"event":"session_ended"}"#),
        (
            .session(.othersEnded(account: "7f", count: 2)),
            #"{"event":"session_others_ended","account":"7f","count":2}"#
        ),
        (
            .administration(AdministrationEvent("accounts disable", account: "7f")),
            #"{"event":"administered","action":"accounts disable","account":"7f"}"#
        ),
    ]

    @Test(arguments: events)
    func `an event survives encoding as a line and decoding`(event: AccountEvent, line: String) {
        #expect(event.line == line)
        #expect(AccountEvent(line: line.utf8) == event)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"event":"call_began"}"#, #"{"event":"call_began","id":-1,"call":"login"}"#,
        #"{"event":"call_began","id":1,"call":"logon"}"#, #"{"event":"call_ended","id":1,"call":"login","code":"x"}"#,
        #"{"event":"call_refused","id":1,"call":"login"}"#,
        #"{"event":"navigation_moved","from":"login","to":"setup"}"#,
        #"{"event":"administered"}"#, #"{"event":"form_invalid","form":"setup","failures":[{}]}"#,
        #"{"event":"teapot"}"#,
    ])
    func `a line that is not an event is refused`(line: String) {
        #expect(AccountEvent(line: line.utf8) == nil)
    }

    @Test func `the document lists exactly the events that exist`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let document = try String(contentsOf: root.appending(path: "docs/events.md"), encoding: .utf8)
        let table = try #require(document.firstMatch(of: /\| event \|.*?\n\n/.dotMatchesNewlines())).output
        let names = table.split(separator: "\n").dropFirst(2).flatMap { row in
            row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.output.1) }
        }
        let sent = try Self.events.map { event in
            try #require(event.1.firstMatch(of: /"event":"(\w+)"/).map { String($0.output.1) })
        }
        #expect(names.count == Set(names).count && Set(names) == Set(sent))
    }

    @Test func `the document names the sender of each event and every listener`() throws {
        let document = String(decoding: try SourceTree.contents(of: "docs/events.md"), as: UTF8.self)
        var senders: [String: Set<String>] = [:]
        var listeners: Set<String> = []
        for path in SourceTree.files(below: "Sources") where path.hasSuffix(".swift") {
            let source = String(decoding: try SourceTree.contents(of: path), as: UTF8.self)
            let type = String(try #require(path.split(separator: "/").last).dropLast(".swift".count))
            for sent in source.matches(of: /emit\(\s*\.(\w+)\(\.?(\w+)/) {
                senders[Self.name(sent.output.1, sent.output.2), default: []].insert(type)
            }
            let listens = /events\.(events|calls|responses|navigation|activity|sessions|administration)\(/
            if source.contains(listens), !path.contains("/Events/") { listeners.insert(type) }
        }
        var told: [String: Set<String>] = [:]
        for row in document.matches(of: /\n\| (`\w+`(?:, `\w+`)*) \|[^|]*\| (`.*) \|/) {
            let types = row.output.2.matches(of: /`([\w+]+)`/).map { String($0.output.1) }
            for name in row.output.1.matches(of: /`(\w+)`/) { told[String(name.output.1)] = Set(types) }
        }
        #expect(told == senders)
        let listed = document.matches(of: /\n\| `(\w+)`[:,]/).map { String($0.output.1) }
        #expect(listeners.isSubset(of: listed) && !listeners.isEmpty)
    }

    /// The name of an event in a line, from the names of its cases.
    private static func name(_ kind: Substring, _ event: Substring) -> String {
        switch kind {
        case "activity": String(event)
        case "administration": "administered"
        case "session" where event == "othersEnded": "session_others_ended"
        default: "\(kind)_\(event)"
        }
    }

    /// docs/events.md, "Listening".
    private func printing(_ dependency: AppDependency) async {
        let answers = dependency.events.responses(to: .login)
        for await heard in answers {
            if let answer = heard.event { print(answer.id, answer.code) }
        }
    }
}
