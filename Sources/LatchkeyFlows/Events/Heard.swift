/// What a listener hears.
public enum Heard<Value: Sendable>: Sendable {
    case event(Value)
    /// So many events came here that the listener was too slow for.
    case missed(Int)

    /// Nil for a gap.
    public var event: Value? {
        if case .event(let value) = self { value } else { nil }
    }
}

extension Heard: Equatable where Value: Equatable {}
