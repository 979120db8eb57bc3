extension Dynamic where Value: Sendable {
    /// Calls `body` on the main actor with the present value and then with each that is set, in that order and none left out,
    /// until the token is cancelled or dropped, or `owner` ends. Whoever sets a value does not wait for that.
    ///
    /// For a view that lives on the main actor, of a value that something else isolates. Where both live there, ``bind(to:_:)``
    /// is simpler, and tells at once.
    public func bindAndFireOnMainActor<Owner: AnyObject & Sendable>(
        to owner: Owner, _ body: @escaping @MainActor (Owner, Value) -> Void
    ) -> BindingToken {
        let (values, continuation) = AsyncStream.makeStream(of: Value.self)
        // One task for all values: with one for each, nothing would keep their order.
        let delivery = Task { @MainActor [weak owner] in
            for await value in values {
                // What was set before the token was cancelled, and not delivered yet, is not delivered any more.
                guard !Task.isCancelled, let owner else { return }
                body(owner, value)
            }
        }
        let post = Post(continuation)
        let token = bindAndFire(to: owner) { _, value in post.continuation.yield(value) }
        return BindingToken {
            token.cancel()
            delivery.cancel()
        }
    }
}

/// Ends a delivery when its binding goes, and after it all that has been set.
private final class Post<Value> {
    let continuation: AsyncStream<Value>.Continuation

    init(_ continuation: AsyncStream<Value>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
}
