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
