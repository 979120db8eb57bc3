/// A value that tells its listeners when it changes.
///
/// Names no actor: whoever isolates it isolates its listeners too. A value that is set while listeners are being told
/// waits until each of them has heard the one before, so that all hear the same values in the same order.
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
                listeners.removeAll { $0.hasEnded }
            }
        }
    }

    private var current: Value
    private var waiting: [Value] = []
    private var isFiring = false
    private var listeners: [Listener<Value>] = []

    public init(_ value: Value) { current = value }

    /// Calls `body` with each value that is set from now on, until the token is cancelled or dropped, or `owner` ends.
    public func bind<Owner: AnyObject>(
        to owner: Owner, _ body: @escaping (Owner, Value) -> Void
    ) -> BindingToken {
        let token = BindingToken()
        listeners.removeAll { $0.hasEnded }
        listeners.append(
            Listener(token: token) { [weak owner] value in
                guard let owner else { return false }
                body(owner, value)
                return true
            })
        return token
    }

    /// As ``bind(to:_:)``, and calls `body` at once with the present value.
    public func bindAndFire<Owner: AnyObject>(
        to owner: Owner, _ body: @escaping (Owner, Value) -> Void
    ) -> BindingToken {
        let token = bind(to: owner, body)
        body(owner, current)
        return token
    }
}

/// Keeps a binding alive; dropping or cancelling it ends the binding.
public final class BindingToken {
    fileprivate(set) var isCancelled = false

    fileprivate init() {}

    public func cancel() { isCancelled = true }
}

/// One binding: its token, weakly, and what to call.
private final class Listener<Value> {
    private weak var token: BindingToken?
    private let body: (Value) -> Bool
    private var ownerHasEnded = false

    init(token: BindingToken, body: @escaping (Value) -> Bool) {
        self.token = token
        self.body = body
    }

    var hasEnded: Bool { ownerHasEnded || token?.isCancelled ?? true }

    func hear(_ value: Value) {
        guard !hasEnded else { return }
        ownerHasEnded = !body(value)
    }
}
