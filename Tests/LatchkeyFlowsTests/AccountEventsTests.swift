import LatchkeyFlows
import LatchkeyForms
import Testing

/// Listeners for one kind of event.
@Suite(.timeLimit(.minutes(60)))
struct AccountEventsTests {
    private let calls: [CallEvent] = [
        .began(id: 1, call: .login), .ended(id: 1, call: .login, code: .invalidCredentials),
        .refused(id: 1, call: .login, .throttled(retryAfter: .seconds(1))), .began(id: 2, call: .setup),
        .ended(id: 2, call: .setup, code: .success), .abandoned(id: 3, call: .login),
    ]
    private let navigation: [NavigationEvent] = [.moved(from: .login, to: .setup, .link), .left(.setup)]
    private let activity: [ActivityEvent] = [.busy, .idle]
    private let sessions: [SessionEvent] = [.began(account: "7f"), .othersEnded(account: "7f", count: 2)]
    private let administration = [AdministrationEvent("accounts disable", account: "7f")]

    private func heard<Value>(by listen: (AccountEvents) -> EventFeed<Value>) async -> [Value] {
        let feed: EventFeed<Value>
        do {
            let stream = AccountEvents()
            feed = listen(stream)
            let all: [AccountEvent] =
                calls.map { .call($0) } + navigation.map { .navigation($0) } + activity.map { .activity($0) }
                + [.form(.invalid(form: "login", []))] + sessions.map { .session($0) }
                + administration.map { .administration($0) }
            for event in all { stream.emit(event) }
        }
        var values: [Value] = []
        for await heard in feed { if let value = heard.event { values.append(value) } }
        return values
    }

    @Test func `each feed delivers only its kind of event`() async {
        #expect(await heard { $0.calls() } == calls)
        #expect(await heard { $0.navigation() } == navigation)
        #expect(await heard { $0.activity() } == activity)
        #expect(await heard { $0.sessions() } == sessions)
        #expect(await heard { $0.administration() } == administration)
        #expect(await heard { $0.responses() }.map(\.id) == [1, 2])
    }

    @Test func `calls and responses can be filtered by flow`() async {
        #expect(await heard { $0.calls(of: .login) } == calls.filter { $0.call == .login })
        #expect(await heard { $0.responses(to: .setup) }.map(\.code) == [.success])
        #expect(await heard { $0.responses(to: .profile) }.isEmpty)
    }
}
