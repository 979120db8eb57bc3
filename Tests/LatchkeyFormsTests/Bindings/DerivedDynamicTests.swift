import LatchkeyForms
import Testing

/// Values derived from other values.
@Suite(.timeLimit(.minutes(60)))
struct DerivedDynamicTests {
    @Test func `a mapped value follows its source and can be mapped again`() {
        let number = Dynamic(1)
        let text = number.map { $0 * 2 }.map { "<\($0)>" }
        let received = Received<String>()
        let token = text.bindAndFire(to: received) { $0.values.append($1) }
        number.value = 2
        number.value = 2
        #expect(received.values == ["<2>", "<4>", "<4>"], "the last value keeps the one between alive")
        #expect(text.value == "<4>")
        withExtendedLifetime(token) {}
    }

    @Test func `a combined value changes with each of its sources`() {
        let (points, fouls) = (Dynamic(0), Dynamic(10))
        let line = points.combined(with: fouls) { "\($0):\($1)" }
        let received = Received<String>()
        let token = line.bindAndFire(to: received) { $0.values.append($1) }
        points.value = 1
        fouls.value = 11
        points.value = 2
        #expect(received.values == ["0:10", "1:10", "1:11", "2:11"])
        let itself = points.combined(with: points) { $0 * $1 }
        points.value = 5
        #expect(itself.value == 25)
        withExtendedLifetime(token) {}
    }

    @Test func `values derived from the same source agree after a change`() {
        let number = Dynamic(1)
        let double = number.map { $0 * 2 }
        let sum = number.combined(with: double) { $0 + $1 }
        let settled = number.map { $0 * 10 }.combined(with: sum.removingDuplicates()) { "\($0) \($1)" }
        number.value = 2
        #expect(sum.value == 6 && settled.value == "20 6")
    }

    @Test func `removing duplicates skips equal values`() {
        let number = Dynamic(0)
        let changes = number.removingDuplicates()
        let received = Received<Int>()
        let token = changes.bind(to: received) { $0.values.append($1) }
        for value in [0, 1, 1, 2, 2, 1] { number.value = value }
        #expect(received.values == [1, 2, 1])
        let isEven = number.map { $0.isMultiple(of: 2) }.removingDuplicates()
        let turned = Received<Bool>()
        let second = isEven.bindAndFire(to: turned) { $0.values.append($1) }
        for value in [3, 5, 6, 8, 9] { number.value = value }
        #expect(turned.values == [false, true, false])
        withExtendedLifetime((token, second)) {}
    }

    @Test func `a value set during a notification waits until all derived values are notified`() {
        let number = Dynamic(0)
        let changes = number.map { $0 }.removingDuplicates()
        let (first, second) = (Received<Int>(), Received<Int>())
        let tokens = [
            changes.bind(to: first) { received, value in
                received.values.append(value)
                guard received.values == [1] else { return }
                number.value = 1
                number.value = 2
                changes.value = 3
                changes.value = 3
            }, changes.bind(to: second) { $0.values.append($1) },
        ]
        number.value = 1
        #expect(first.values == second.values && first.values == [1, 3, 3, 1, 2])
        #expect(changes.value == 2, "a derived value follows its source even after it was set")
        withExtendedLifetime(tokens) {}
    }

    @Test func `a value set during a notification of a derived value is delivered after it`() {
        let (left, right) = (Dynamic(0), Dynamic(0))
        let both = left.combined(with: right) { "\($0)\($1)" }
        let (first, second) = (Received<String>(), Received<String>())
        let tokens = [
            both.bind(to: first) { received, value in
                received.values.append(value)
                if value == "10" { right.value = 1 }
            }, both.bind(to: second) { $0.values.append($1) },
        ]
        left.value = 1
        #expect(first.values == ["10", "11"] && second.values == first.values)
        withExtendedLifetime(tokens) {}
    }

    @Test func `a derived value retains its source, but the source does not retain it`() {
        var number: Dynamic<Int>? = Dynamic(1)
        weak let source = number
        var double = number?.map { $0 * 2 }
        weak let derived = double
        var sum = double.map { left in left.combined(with: left) { $0 + $1 } }
        double = nil
        number = nil
        #expect(source != nil && derived != nil && sum?.value == 4)
        source?.value = 2
        #expect(sum?.value == 8)
        sum = nil
        #expect(source == nil && derived == nil)
    }

    @Test func `a derived value is released while its source remains`() {
        let number = Dynamic(1)
        weak var observed: Received<Int>?
        do {
            let received = Received<Int>()
            observed = received
            let double = number.map { value -> Int in
                received.values.append(value)
                return value * 2
            }
            #expect(number.listenerCount == 1 && double.value == 2)
        }
        #expect(observed == nil && number.listenerCount == 0)
        number.value = 2
    }
}
