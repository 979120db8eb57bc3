import LatchkeyForms
import Testing

/// Values that belong to another actor, shown on the main actor.
@Suite(.timeLimit(.minutes(60)))
struct MainActorDynamicTests {
    @MainActor private final class Label {
        private(set) var shown: [Int] = []

        func show(_ value: Int) { shown.append(value) }

        func hasShown(_ count: Int) async {
            while shown.count < count { await Task.yield() }
        }
    }

    /// The actor that owns the value.
    private actor Model {
        let number = Dynamic(0)
        private var tokens: [BindingToken] = []

        func bind(_ label: Label) {
            tokens.append(number.bindAndFireOnMainActor(to: label) { $0.show($1) })
        }

        func count(_ numbers: ClosedRange<Int>) {
            for value in numbers { number.value = value }
        }

        var listenerCount: Int { number.listenerCount }

        func cancel() { tokens.removeAll() }
    }

    @Test func `the main actor receives the current value and all later ones in order`() async {
        let (model, labels) = (Model(), [Label(), Label()])
        for label in labels { await model.bind(label) }
        await model.count(1...500)
        for label in labels {
            await label.hasShown(501)
            #expect(await label.shown == Array(0...500))
        }
    }

    @MainActor @Test func `values that are not delivered before a binding ends are dropped`() async {
        let number = Dynamic(0)
        let (cancelled, bound) = (Label(), Label())
        let token = number.bindAndFireOnMainActor(to: cancelled) { $0.show($1) }
        let other = number.bindAndFireOnMainActor(to: bound) { $0.show($1) }
        number.value = 1
        token.cancel()
        number.value = 2
        #expect(number.listenerCount == 1)
        await bound.hasShown(3)
        #expect(cancelled.shown.isEmpty && bound.shown == [0, 1, 2])
        withExtendedLifetime(other) {}
    }

    @MainActor @Test func `a binding retains neither its owner nor the value`() async {
        var number: Dynamic<Int>? = Dynamic(0)
        weak let value = number
        var label: Label? = Label()
        weak let owner = label
        let token = number.map { number in label.map { number.bindAndFireOnMainActor(to: $0) { $0.show($1) } } }
        number?.value = 1
        number = nil
        #expect(value == nil)
        await label?.hasShown(2)
        label = nil
        #expect(owner == nil, "values set before the release were delivered")
        withExtendedLifetime(token) {}
    }

    @Test func `a released owner is no longer a listener`() async {
        let model = Model()
        do {
            let label = Label()
            await model.bind(label)
            await label.hasShown(1)
        }
        await model.count(1...1)
        #expect(await model.listenerCount == 0)
        await model.cancel()
    }
}
