/// The reason why a transfer was not completed.
public enum TransferFailure: Error, Equatable, Sendable {
    /// The host has no address, refuses connections, or closed the connection.
    case unreachable
    /// The certificate is not valid for the host, or no trusted authority has signed it.
    case certificate
    /// The server does not offer encryption, or has no TLS version or cipher in common with Latchkey.
    case unencrypted
    /// The time limit was exceeded.
    case timedOut
    /// The response is larger than the limit.
    case tooLarge
    /// The system has run out of memory or threads.
    case exhausted
    /// Any other failure, with its `CURLcode`.
    case failed(code: Int32)
}
