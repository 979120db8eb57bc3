import LatchkeyForms
import Testing

struct DynamicTests {
    @Test func `every listener hears every value that is set, also the same again`() {
        let number = Dynamic(0)
        let heard = (Heard<Int>(), Heard<Int>())
        let tokens = [
            number.bind(to: heard.0) { $0.values.append($1) }, number.bindAndFire(to: heard.1) { $0.values.append($1) },
        ]
        number.value = 1
        number.value = 1
        number.value = 2
        #expect(heard.0.values == [1, 1, 2])
        #expect(heard.1.values == [0, 1, 1, 2], "bound and fired: the present value first")
        #expect(number.value == 2)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a binding ends with its token, cancelled or dropped`() {
        let number = Dynamic(0)
        let heard = Heard<Int>()
        let cancelled = number.bind(to: heard) { $0.values.append($1) }
        var dropped: BindingToken? = number.bind(to: heard) { $0.values.append($1 * 10) }
        number.value = 1
        cancelled.cancel()
        number.value = 2
        #expect(dropped != nil)
        dropped = nil
        number.value = 3
        #expect(heard.values == [1, 10, 20])
    }

    @Test func `a binding ends with its owner, and does not keep it`() {
        let number = Dynamic(0)
        let heard = Heard<Int>()
        var owner: Heard<Int>? = Heard()
        weak let observed = owner
        let token = number.bind(to: heard) { $0.values.append($1) }
        let second = owner.map { number.bind(to: $0) { _, value in heard.values.append(value * 10) } }
        number.value = 1
        owner = nil
        #expect(observed == nil)
        number.value = 2
        #expect(heard.values == [1, 10, 2])
        withExtendedLifetime((token, second)) {}
    }

    @Test func `a value set while listeners are told waits, so that all hear the same order`() {
        let number = Dynamic(0)
        let heard = (Heard<Int>(), Heard<Int>())
        let first = number.bind(to: heard.0) { heard, value in
            heard.values.append(value)
            if value == 1 {
                number.value = 2
                number.value = 3
                heard.values.append(number.value * 100)
            }
        }
        let second = number.bind(to: heard.1) { $0.values.append($1) }
        number.value = 1
        #expect(heard.0.values == [1, 100, 2, 3], "the value stays what is being told")
        #expect(heard.1.values == [1, 2, 3])
        #expect(number.value == 3)
        withExtendedLifetime((first, second)) {}
    }

    @Test func `who binds while listeners are told hears what comes after`() {
        let number = Dynamic(0)
        let heard = Heard<Int>()
        var late: BindingToken?
        let token = number.bind(to: heard) { heard, value in
            guard late == nil else { return }
            late = number.bind(to: heard) { $0.values.append($1) }
            number.value = value + 1
        }
        number.value = 1
        #expect(heard.values == [2])
        token.cancel()
        number.value = 5
        #expect(heard.values == [2, 5])
        withExtendedLifetime(late) {}
    }

    @Test func `a listener that ends another is the last to be heard`() {
        let number = Dynamic(0)
        let heard = Heard<Int>()
        var second: BindingToken?
        let first = number.bind(to: heard) { _, _ in second?.cancel() }
        second = number.bind(to: heard) { $0.values.append($1) }
        number.value = 1
        #expect(heard.values.isEmpty)
        withExtendedLifetime(first) {}
    }

    @Test func `what a listener keeps goes with its token, and the value with nobody`() {
        var number: Dynamic<Int>? = Dynamic(0)
        weak let value = number
        let heard = Heard<Int>()
        var kept: Heard<Int>? = Heard()
        weak let observed = kept
        var token = number?.bind(to: heard) { [kept] _, value in kept?.values.append(value) }
        kept = nil
        #expect(observed != nil && number?.listenerCount == 1)
        token = nil
        #expect(observed == nil && number?.listenerCount == 0, "not only when the next value is set")
        token = number?.bind(to: heard) { $0.values.append($1) }
        number = nil
        #expect(value == nil, "a token keeps no value")
        token?.cancel()
        #expect(heard.values.isEmpty)
    }

    @Test func `a listener whose end is the end of others takes them along`() {
        let number = Dynamic(0)
        let heard = Heard<Int>()
        var inner: BindingToken? = number.bind(to: heard) { $0.values.append($1) }
        let outer = number.bind(to: heard) { [inner] _, _ in withExtendedLifetime(inner) {} }
        inner = nil
        #expect(number.listenerCount == 2)
        outer.cancel()
        #expect(number.listenerCount == 0)
        number.value = 1
        #expect(heard.values.isEmpty)
    }
}
