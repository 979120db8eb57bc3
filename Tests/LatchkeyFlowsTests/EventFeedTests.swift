import Foundation
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import TestSupport
import Testing

/// The events that each listener gets, and listeners that are slow, throw or are dropped.
@Suite(.timeLimit(.minutes(60)))
struct EventFeedTests {
    private struct Number: StreamedEvent, Equatable {
        let value: Int
    }

    @Test func `dropped events are reported as a gap in their position`() async throws {
        let stream = EventStream<Number>()
        let feed = stream.events(limit: 3) { $0.value }
        for value in 0..<5 { stream.emit(Number(value: value)) }
        #expect(await feed.next() == .event(0))
        for value in 5..<7 { stream.emit(Number(value: value)) }
        var heard: [DeliveredEvent<Int>] = []
        for _ in 0..<4 { heard.append(try #require(await feed.next())) }
        #expect(heard == [.event(1), .event(2), .missed(2), .event(5)])
        #expect(await feed.next() == .missed(1))
        stream.emit(Number(value: 7))
        #expect(await feed.next() == .event(7))
    }

    @Test func `a listener that throws is dropped, and the others continue`() async throws {
        struct Enough: Error {}
        let stream = EventStream<Number>()
        let count = Counter()
        let thrower = stream.events { $0.value }.listen { heard in
            count.add()
            if heard == .event(2) { throw Enough() }
        }
        let feed = stream.events { $0.value }
        for value in 0..<3 { stream.emit(Number(value: value)) }
        await thrower.wait()
        stream.emit(Number(value: 3))
        for value in 0..<4 { #expect(await feed.next() == .event(value)) }
        #expect(stream.listenerCount == 1 && count.value == 3)
    }

    @Test func `a cancelled or dropped listener gets no more events and is released`() async throws {
        let stream = EventStream<Number>()
        weak var feed: EventFeed<Int>?
        do {
            let held = stream.events { $0.value }
            feed = held
            #expect(stream.listenerCount == 1)
        }
        #expect(feed == nil && stream.listenerCount == 0)
        let listener = stream.events { $0.value }.listen { _ in }
        listener.cancel()
        await listener.wait()
        #expect(stream.listenerCount == 0)
    }

    @Test func `no listener retains the stream`() async throws {
        weak var gone: EventStream<Number>?
        let listener: EventListener
        do {
            let stream = EventStream<Number>()
            gone = stream
            listener = stream.events { $0.value }.listen { _ in }
        }
        #expect(gone == nil)
        await listener.wait()
    }

    @Test func `streams whose listeners emit into each other do not deadlock`() async throws {
        let (models, views) = (EventStream<Number>(), EventStream<Number>())
        let feed = views.events { $0.value }
        let forth = models.events { $0.value }.listen { heard in
            if let value = heard.event { views.emit(Number(value: value)) }
        }
        let back = views.events { $0.value }.listen { heard in
            if let value = heard.event, value < 100 { models.emit(Number(value: value + 1)) }
        }
        models.emit(Number(value: 1))
        for value in 1...100 { #expect(await feed.next() == .event(value)) }
        withExtendedLifetime((forth, back)) {}
    }

    @Test func `a listener that never returns does not delay the others`() async throws {
        let stream = EventStream<Number>()
        let (silence, keeper) = AsyncStream.makeStream(of: Void.self)
        let stuck = stream.events(limit: 1) { $0.value }.listen { _ in
            for await _ in silence {}
        }
        let feed = stream.events(limit: 10_000) { $0.value }
        for value in 0..<10_000 { stream.emit(Number(value: value)) }
        for value in 0..<10_000 { #expect(await feed.next() == .event(value)) }
        stuck.cancel()
        await stuck.wait()
        withExtendedLifetime(keeper) {}
        #expect(stream.listenerCount == 1)
    }

    @Test func `events that a feed does not select do not use up its limit`() async throws {
        let stream = AccountEvents()
        let feed = stream.responses(to: .login, limit: 1)
        for id in 1...100 { stream.emit(.call(.began(id: UInt64(id), call: .login))) }
        stream.emit(.call(.ended(id: 7, call: .setup, code: .taken)))
        stream.emit(.call(.ended(id: 8, call: .login, code: .success)))
        let answer = try #require(await feed.next()?.event)
        #expect(answer.id == 8 && answer.call == .login && answer.code == .success)
    }
}

/// A counter that can be used from any thread.
private final class Counter: Sendable {
    private let count = Locked(0)

    func add() { count.withLock { $0 += 1 } }
    var value: Int { count.withLock { $0 } }
}
