import LatchkeyFlows
import LatchkeyForms
import Testing

@Suite(.timeLimit(.minutes(60)))
struct EventStreamTests {
    private let opened = AccountEvent.navigation(.opened(.login))
    private let began = AccountEvent.call(.began(id: 1, call: .login))

    @Test func `every listener gets every event in the order of emission`() async {
        var stream: AccountEvents? = AccountEvents()
        let listeners = (0..<3).compactMap { _ in stream?.events() }
        let events = (1...100).map { AccountEvent.call(.began(id: $0, call: .login)) }
        for event in events { stream?.emit(event) }
        stream = nil
        for listener in listeners { #expect(await heard(listener) == events) }
    }

    @Test func `a released stream ends its listeners`() async {
        let listener = AccountEvents().events()
        #expect(await heard(listener) == [])
    }

    @Test(
        arguments: [
            ([.navigation(.opened(.login))], [.navigation(.opened(.login))]),
            (
                [.navigation(.opened(.login)), .navigation(.moved(from: .login, to: .setup, .link))],
                [.navigation(.moved(from: .login, to: .setup, .link))]
            ),
            ([.navigation(.opened(.login)), .navigation(.left(.login))], []),
            (
                [.navigation(.opened(.login)), .call(.began(id: 1, call: .login))],
                [.navigation(.opened(.login)), .call(.began(id: 1, call: .login))]
            ),
            (
                [
                    .call(.began(id: 1, call: .login)), .call(.began(id: 2, call: .setup)),
                    .call(.ended(id: 1, call: .login, code: .success)),
                ], [.call(.began(id: 2, call: .setup))]
            ),
            (
                [
                    .call(.began(id: 1, call: .login)), .call(.abandoned(id: 1, call: .login)),
                    .call(.ended(id: 1, call: .login, code: .success)),
                ], []
            ),
            ([.navigation(.opened(.login)), .session(.began(account: "1"))], [.session(.began(account: "1"))]),
            (
                [
                    .session(.began(account: "1")), .session(.began(account: "1")),
                    .navigation(.opened(.changePassword)),
                ],
                [.session(.began(account: "1")), .navigation(.opened(.changePassword))]
            ),
        ] as [([AccountEvent], [AccountEvent])])
    func `a late listener first gets the events that describe the current state`(
        past: [AccountEvent], present: [AccountEvent]
    ) async {
        var stream: AccountEvents? = AccountEvents()
        for event in past { stream?.emit(event) }
        let late = stream?.events()
        stream?.emit(began)
        stream = nil
        let events = await late.map(heard) ?? []
        #expect(events == present + [began])
    }

    @Test func `a slow or blocked listener does not delay the others`() async {
        var stream: AccountEvents? = AccountEvents()
        let slow = stream?.events(limit: 1)
        let unread = stream?.events()
        let quick = stream?.events(limit: 1000)
        let ended = Task { [events = stream?.events()] in
            guard let events else { return }
            _ = await events.next()
        }
        ended.cancel()
        await ended.value
        #expect(stream?.listenerCount == 3, "who has ended is forgotten")
        let events = (1...1000).map { AccountEvent.call(.began(id: $0, call: .login)) }
        for event in events { stream?.emit(event) }
        stream = nil
        #expect(await quick.map(heard) == events)
        let last = await slow?.next()
        #expect(last == .event(events[0]))
        #expect(await slow?.next() == .missed(999), "the gap holds the number of dropped events")
        #expect(await slow?.next() == nil)
        withExtendedLifetime(unread) {}
    }

    @Test func `concurrent events reach all listeners in the same order`() async {
        var stream: AccountEvents? = AccountEvents()
        let listeners = (0..<2).compactMap { _ in stream?.events() }
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { [stream] in
                    for index in 0..<100 {
                        stream?.emit(.call(.abandoned(id: UInt64(task * 100 + index), call: .login)))
                    }
                }
            }
        }
        stream = nil
        let first = await heard(listeners[0])
        #expect(first.count == 800)
        #expect(await heard(listeners[1]) == first)
    }

    private func heard(_ feed: EventFeed<AccountEvent>) async -> [AccountEvent] {
        var events: [AccountEvent] = []
        for await heard in feed { if let event = heard.event { events.append(event) } }
        return events
    }
}

extension Optional where Wrapped: Sendable {
    fileprivate func map<Result>(_ body: (Wrapped) async -> Result) async -> Result? {
        guard let self else { return nil }
        return await body(self)
    }
}
