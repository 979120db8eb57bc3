/// The reason why a transfer was not completed.
public enum TransferFailure: Error, Equatable, Sendable {
    /// The host has no address, refuses connections, or closed the connection.
    case unreachable
    /// The certificate is not valid for the host, or no trusted authority has signed it.
    case certificate
    /// The server does not offer encryption, or no version or cipher of TLS that both accept.
    case unencrypted
    /// The time limit is over.
    case timedOut
    /// The response is larger than the limit.
    case tooLarge
    /// No memory or thread is left.
    case exhausted
    /// Any other failure, with its `CURLcode`.
    case failed(code: Int32)
}
