import LatchkeyForms
import Testing

@Suite(.timeLimit(.minutes(60)))
struct DynamicTests {
    @Test func `every listener receives every value, even if it is equal to the previous one`() {
        let number = Dynamic(0)
        let received = (Received<Int>(), Received<Int>())
        let tokens = [
            number.bind(to: received.0) { $0.values.append($1) },
            number.bindAndFire(to: received.1) { $0.values.append($1) },
        ]
        number.value = 1
        number.value = 1
        number.value = 2
        #expect(received.0.values == [1, 1, 2])
        #expect(received.1.values == [0, 1, 1, 2], "bindAndFire delivers the current value first")
        #expect(number.value == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a binding ends when its token is cancelled or released`() {
        let number = Dynamic(0)
        let received = Received<Int>()
        let cancelled = number.bind(to: received) { $0.values.append($1) }
        var dropped: BindingToken? = number.bind(to: received) { $0.values.append($1 * 10) }
        number.value = 1
        cancelled.cancel()
        number.value = 2
        #expect(dropped != nil)
        dropped = nil
        number.value = 3
        #expect(received.values == [1, 10, 20])
    }

    @Test func `a binding ends with its owner and does not retain the owner`() {
        let number = Dynamic(0)
        let received = Received<Int>()
        var owner: Received<Int>? = Received()
        weak let observed = owner
        let token = number.bind(to: received) { $0.values.append($1) }
        let second = owner.map { number.bind(to: $0) { _, value in received.values.append(value * 10) } }
        number.value = 1
        owner = nil
        #expect(observed == nil)
        number.value = 2
        #expect(received.values == [1, 10, 2])
        withExtendedLifetime((token, second)) {}
    }

    @Test func `a value set during a notification waits until all listeners have been notified`() {
        let number = Dynamic(0)
        let received = (Received<Int>(), Received<Int>())
        let first = number.bind(to: received.0) { received, value in
            received.values.append(value)
            if value == 1 {
                number.value = 2
                number.value = 3
                received.values.append(number.value * 100)
            }
        }
        let second = number.bind(to: received.1) { $0.values.append($1) }
        number.value = 1
        #expect(received.0.values == [1, 100, 2, 3], "the value is the one being delivered")
        #expect(received.1.values == [1, 2, 3])
        #expect(number.value == 3)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `a listener added during a notification receives only later values`() {
        let number = Dynamic(0)
        let received = Received<Int>()
        var late: BindingToken?
        let token = number.bind(to: received) { received, value in
            guard late == nil else { return }
            late = number.bind(to: received) { $0.values.append($1) }
            number.value = value + 1
        }
        number.value = 1
        #expect(received.values == [2])
        token.cancel()
        number.value = 5
        #expect(received.values == [2, 5])
        withExtendedLifetime(late) {}
    }

    @Test func `a listener can end another during a notification`() {
        let number = Dynamic(0)
        let received = Received<Int>()
        var second: BindingToken?
        let first = number.bind(to: received) { _, _ in second?.cancel() }
        second = number.bind(to: received) { $0.values.append($1) }
        number.value = 1
        #expect(received.values.isEmpty)
        withExtendedLifetime(first) {}
    }

    @Test func `a token releases its listener's captures and does not retain the value`() {
        var number: Dynamic<Int>? = Dynamic(0)
        weak let value = number
        let received = Received<Int>()
        var kept: Received<Int>? = Received()
        weak let observed = kept
        var token = number?.bind(to: received) { [kept] _, value in kept?.values.append(value) }
        kept = nil
        #expect(observed != nil && number?.listenerCount == 1)
        token = nil
        #expect(observed == nil && number?.listenerCount == 0, "at once, not when the next value is set")
        token = number?.bind(to: received) { $0.values.append($1) }
        number = nil
        #expect(value == nil, "a token does not keep the value alive")
        token?.cancel()
        #expect(received.values.isEmpty)
    }

    @Test func `releasing a listener can end other bindings`() {
        let number = Dynamic(0)
        let received = Received<Int>()
        var inner: BindingToken? = number.bind(to: received) { $0.values.append($1) }
        let outer = number.bind(to: received) { [inner] _, _ in withExtendedLifetime(inner) {} }
        inner = nil
        #expect(number.listenerCount == 2)
        outer.cancel()
        #expect(number.listenerCount == 0)
        number.value = 1
        #expect(received.values.isEmpty)
    }
}
