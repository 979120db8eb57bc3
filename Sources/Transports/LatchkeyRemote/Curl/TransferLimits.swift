/// The limits of one transfer, and the certificates that it trusts.
struct TransferLimits: Sendable {
    /// The time limit for establishing an encrypted connection, including the look-up of the host.
    var connect = Duration.seconds(10)
    /// The time limit for the whole transfer.
    var total: Duration
    /// The maximum number of bytes from the server: headers and body, or the replies of a mail server.
    var responseBytes = 65_536
    /// A PEM file with certificate authorities to trust; nil for the system's.
    var authorities: String?
}
