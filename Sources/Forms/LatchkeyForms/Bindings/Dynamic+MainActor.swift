extension Dynamic where Value: Sendable {
    /// Calls `body` on the main actor with the current value, and then with every new value in order. It ends when the
    /// token is cancelled or released, or when `owner` is released. Setting a value does not wait for `body`.
    ///
    /// Use it in a view on the main actor that shows a value of another actor. If the value is on the main actor too,
    /// ``bind(to:_:)`` is simpler and calls `body` immediately.
    public func bindAndFireOnMainActor<Owner: AnyObject & Sendable>(
        to owner: Owner, _ body: @escaping @MainActor (Owner, Value) -> Void
    ) -> BindingToken {
        let (values, continuation) = AsyncStream.makeStream(of: Value.self)
        // A single task delivers all values, because separate tasks could run out of order.
        let delivery = Task { @MainActor [weak owner] in
            for await value in values {
                // Cancelling the token also drops values that have not been delivered yet.
                guard !Task.isCancelled, let owner else { return }
                body(owner, value)
            }
        }
        let stream = FinishingContinuation(continuation)
        let token = bindAndFire(to: owner) { _, value in stream.continuation.yield(value) }
        return BindingToken {
            token.cancel()
            delivery.cancel()
        }
    }
}

/// Finishes its stream when the binding that contains it is released.
private final class FinishingContinuation<Value> {
    let continuation: AsyncStream<Value>.Continuation

    init(_ continuation: AsyncStream<Value>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
}
