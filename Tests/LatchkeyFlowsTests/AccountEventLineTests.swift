import Foundation
import LatchkeyFlows
import LatchkeyForms
import Testing

/// Events as lines of JSON, and back.
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
            .administration(AdministrationEvent("accounts disable", account: "7f")),
            #"{"event":"administered","action":"accounts disable","account":"7f"}"#
        ),
    ]

    @Test(arguments: events)
    func `an event is a line, and the line that event`(event: AccountEvent, line: String) {
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
    func `what is no event is none`(line: String) {
        #expect(AccountEvent(line: line.utf8) == nil)
    }

    @Test func `every event stands in its document, and no other`() throws {
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

    /// docs/events.md, "Listening".
    private func printing(_ dependency: AppDependency) async {
        let answers = dependency.events.responses(to: .login)
        for await heard in answers {
            if let answer = heard.event { print(answer.id, answer.code) }
        }
    }
}
