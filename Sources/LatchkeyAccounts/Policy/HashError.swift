/// Why nothing was hashed or verified.
public enum HashError: Error, Equatable, Sendable {
    /// The stored hash is of no scheme known here, or malformed.
    case unsupported
    /// The stored hash asks for more memory or time than the caps allow; the library was not called.
    case costTooHigh
    /// More waits for the hashing threads than may wait, or has waited for too long.
    case overloaded
    /// The system has no memory for it.
    case outOfMemory
    case noRandomness
    /// The files by which processes share their memory cannot be used.
    case store(StoreError)
}
