/// The limits of one transfer, and which certificates it trusts.
struct TransferLimits: Sendable {
    /// The longest time until the connection is encrypted, the look-up of the host included.
    var connect = Duration.seconds(10)
    /// The longest time for everything.
    var total: Duration
    /// The most bytes that the server may send: headers and body, or the replies of a mail server.
    var responseBytes = 65_536
    /// A PEM file with certificate authorities to trust; nil for those of the system.
    var authorities: String?
}
