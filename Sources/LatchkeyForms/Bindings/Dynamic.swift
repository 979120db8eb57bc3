/// A value that tells its listeners when it changes.
///
/// Names no actor: whoever isolates it isolates its listeners too. A value that is set while listeners are being told
/// waits until each of them has heard the one before, so that all hear the same values in the same order.
///
/// Keeps no listener alive. What is derived from it (``map(_:)``, ``combined(with:_:)``, ``removingDuplicates()``) keeps it,
/// and is not kept by it.
public final class Dynamic<Value> {
    /// The present value. Setting it tells every listener, also where it is the same as before.
    public var value: Value {
        get { current }
        set {
            waiting.append(newValue)
            guard !isFiring else { return }
            isFiring = true
            defer { isFiring = false }
            while !waiting.isEmpty {
                current = waiting.removeFirst()
                for listener in listeners { listener.hear(current) }
                forget { $0.hasEnded }
            }
        }
    }

    private var current: Value
    private var waiting: [Value] = []
    private var isFiring = false
    private var listeners: [Listener<Value>] = []
    /// What it is derived from, with the bindings to that.
    private var sources: [(source: AnyObject, token: BindingToken)] = []

    public init(_ value: Value) { current = value }

    /// Calls `body` with each value that is set from now on, until the token is cancelled or dropped, or `owner` ends.
    public func bind<Owner: AnyObject>(
        to owner: Owner, _ body: @escaping (Owner, Value) -> Void
    ) -> BindingToken {
        let listener = Listener<Value> { [weak owner] value in
            guard let owner else { return false }
            body(owner, value)
            return true
        }
        forget { $0.hasEnded }
        listeners.append(listener)
        return BindingToken { [weak self, weak listener] in
            listener?.hasEnded = true
            self?.forget { $0 === listener }
        }
    }

    /// As ``bind(to:_:)``, and calls `body` at once with the present value.
    public func bindAndFire<Owner: AnyObject>(
        to owner: Owner, _ body: @escaping (Owner, Value) -> Void
    ) -> BindingToken {
        let token = bind(to: owner, body)
        body(owner, current)
        return token
    }

    /// How many listen.
    public var listenerCount: Int { listeners.count { !$0.hasEnded } }

    /// What it will be when all who listen have heard what waits.
    var latest: Value { waiting.last ?? current }

    /// Is derived from `source` from now on, and keeps it.
    func follow<Source>(_ source: Dynamic<Source>, _ body: @escaping (Dynamic, Source) -> Void) {
        sources.append((source, source.bind(to: self, body)))
    }

    private func forget(_ isGone: (Listener<Value>) -> Bool) {
        guard listeners.contains(where: isGone) else { return }
        // Dropped only after the list is whole again: what goes with a listener may end others while it goes.
        let before = listeners
        listeners = before.filter { !isGone($0) }
        withExtendedLifetime(before) {}
    }
}

/// One binding: what to call, and whether it is over.
private final class Listener<Value> {
    var hasEnded = false
    private let body: (Value) -> Bool

    init(_ body: @escaping (Value) -> Bool) { self.body = body }

    func hear(_ value: Value) {
        guard !hasEnded, !body(value) else { return }
        hasEnded = true
    }
}

/// Keeps a binding alive; dropping or cancelling it ends the binding, at once and also while listeners are being told.
public final class BindingToken {
    private var leave: (() -> Void)?

    init(_ leave: @escaping () -> Void) { self.leave = leave }

    deinit { leave?() }

    public func cancel() {
        leave?()
        leave = nil
    }
}

/// Values that follow others. Each keeps what it follows, and lets go of it when it goes itself.
extension Dynamic {
    /// What `transform` makes of each value, as many times as the value is set.
    public func map<Mapped>(_ transform: @escaping (Value) -> Mapped) -> Dynamic<Mapped> {
        let mapped = Dynamic<Mapped>(transform(value))
        mapped.follow(self) { mapped, value in mapped.value = transform(value) }
        return mapped
    }

    /// What `make` makes of the two, whenever either is set.
    ///
    /// Where both follow a third, it is told twice when that is set, and the first time one of the two is still as it was.
    public func combined<Other, Result>(
        with other: Dynamic<Other>, _ make: @escaping (Value, Other) -> Result
    ) -> Dynamic<Result> {
        let combined = Dynamic<Result>(make(value, other.value))
        combined.follow(self) { [unowned other] combined, value in combined.value = make(value, other.value) }
        combined.follow(other) { [unowned self] combined, value in combined.value = make(self.value, value) }
        return combined
    }
}

extension Dynamic where Value: Equatable {
    /// The same, silent where a value is set that equals the one before.
    public func removingDuplicates() -> Dynamic {
        let changes = Dynamic(value)
        changes.follow(self) { changes, value in
            if changes.latest != value { changes.value = value }
        }
        return changes
    }
}
