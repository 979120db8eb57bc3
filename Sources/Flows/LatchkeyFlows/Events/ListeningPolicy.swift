/// What happens to events that a listener has not read yet.
public struct ListeningPolicy<Value: Sendable>: Sendable {
    let limit: Int
    let spill: EventSpill<Value>?

    /// At most `limit` events wait (at least 1). Further ones are dropped, counted and reported as one gap.
    public static func bounded(_ limit: Int = 1024) -> ListeningPolicy {
        ListeningPolicy(limit: max(limit, 1), spill: nil)
    }

    /// No event is lost: those beyond `limit` wait in a file.
    public static func lossless(inMemory limit: Int = 1024, _ spill: EventSpill<Value>) -> ListeningPolicy {
        ListeningPolicy(limit: max(limit, 1), spill: spill)
    }
}

/// Where and how events wait in a file.
public struct EventSpill<Value: Sendable>: Sendable {
    let folder: String
    let encode: @Sendable (Value) -> [UInt8]
    let decode: @Sendable ([UInt8]) -> Value?

    /// - Parameters:
    ///   - folder: holds the file, which has no name and disappears with the listener, however the process ends.
    ///   - encode: turns an event into bytes without a newline.
    ///   - decode: turns these bytes back into the event.
    public init(
        inFolder folder: String, encode: @escaping @Sendable (Value) -> [UInt8],
        decode: @escaping @Sendable ([UInt8]) -> Value?
    ) {
        self.folder = folder
        self.encode = encode
        self.decode = decode
    }
}
