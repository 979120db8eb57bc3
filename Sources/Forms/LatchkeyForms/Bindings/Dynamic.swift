/// A value that notifies its listeners of each change.
///
/// Not `Sendable`: the actor that owns it isolates its listeners too. If a value is set during a notification, it is
/// delivered after every listener has received the previous one. All listeners therefore receive the same values in the
/// same order.
///
/// It does not retain its listeners. A derived value (``map(_:)``, ``combined(with:_:)``, ``removingDuplicates()``)
/// retains its source, but a source does not retain derived values.
public final class Dynamic<Value> {
    /// The current value. Setting it notifies all listeners, even if the new value is equal.
    public var value: Value {
        get { current }
        set {
            waiting.append(newValue)
            guard !isFiring else { return }
            isFiring = true
            defer { isFiring = false }
            while !waiting.isEmpty {
                current = waiting.removeFirst()
                for listener in listeners { listener.receive(current) }
                removeListeners { $0.hasEnded }
            }
        }
    }

    private var current: Value
    private var waiting: [Value] = []
    private var isFiring = false
    private var listeners: [Listener<Value>] = []
    /// The sources of a derived value, with the bindings to them.
    private var sources: [(source: AnyObject, token: BindingToken)] = []

    /// Creates a dynamic value without listeners.
    public init(_ value: Value) { current = value }

    /// Calls `body` with each new value. It ends when the token is cancelled or released, or when `owner` is released.
    public func bind<Owner: AnyObject>(
        to owner: Owner, _ body: @escaping (Owner, Value) -> Void
    ) -> BindingToken {
        let listener = Listener<Value> { [weak owner] value in
            guard let owner else { return false }
            body(owner, value)
            return true
        }
        removeListeners { $0.hasEnded }
        listeners.append(listener)
        return BindingToken { [weak self, weak listener] in
            listener?.hasEnded = true
            self?.removeListeners { $0 === listener }
        }
    }

    /// Like ``bind(to:_:)``, but also calls `body` immediately with the current value.
    public func bindAndFire<Owner: AnyObject>(
        to owner: Owner, _ body: @escaping (Owner, Value) -> Void
    ) -> BindingToken {
        let token = bind(to: owner, body)
        body(owner, current)
        return token
    }

    /// The number of active listeners.
    public var listenerCount: Int { listeners.count { !$0.hasEnded } }

    /// The latest value, including values that are waiting for delivery.
    var latest: Value { waiting.last ?? current }

    /// Derives this value from `source` and retains `source`.
    func follow<Source>(_ source: Dynamic<Source>, _ body: @escaping (Dynamic, Source) -> Void) {
        sources.append((source, source.bind(to: self, body)))
    }

    private func removeListeners(where isGone: (Listener<Value>) -> Bool) {
        guard listeners.contains(where: isGone) else { return }
        // The old listeners are released only after the list is updated, because releasing one may end others.
        let before = listeners
        listeners = before.filter { !isGone($0) }
        withExtendedLifetime(before) {}
    }
}

/// One binding: the closure to call, and whether the binding has ended.
private final class Listener<Value> {
    var hasEnded = false
    private let body: (Value) -> Bool

    init(_ body: @escaping (Value) -> Bool) { self.body = body }

    func receive(_ value: Value) {
        guard !hasEnded, !body(value) else { return }
        hasEnded = true
    }
}

/// Keeps a binding active. Cancelling or releasing it ends the binding immediately, even during a notification.
public final class BindingToken {
    private var end: (() -> Void)?

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end?() }

    /// Ends the binding. Further calls have no effect.
    public func cancel() {
        end?()
        end = nil
    }
}

extension Dynamic {
    /// A derived value: the result of `transform` for each new value.
    public func map<Mapped>(_ transform: @escaping (Value) -> Mapped) -> Dynamic<Mapped> {
        let mapped = Dynamic<Mapped>(transform(value))
        mapped.follow(self) { mapped, value in mapped.value = transform(value) }
        return mapped
    }

    /// A derived value: the result of `make` for the two current values, updated whenever one of them is set.
    ///
    /// If both values derive from a third one, a change of the third notifies twice, first with one outdated value.
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
    /// A derived value that skips consecutive equal values.
    public func removingDuplicates() -> Dynamic {
        let changes = Dynamic(value)
        changes.follow(self) { changes, value in
            if changes.latest != value { changes.value = value }
        }
        return changes
    }
}
