package import LatchkeySecrets

/// Proves to another host that its caller has a session: `lkt_`, the session's ``SessionDigest``, and a tag that
/// requires the store's key. Digest and tag are in hexadecimal.
///
/// The ticket only identifies the session's account, and it expires with the session. It is not stored.
package struct SessionTicket: Sendable {
    private static let prefix = Array("lkt_".utf8)

    /// The length of a ticket in bytes: a prefix of 4, and a digest and a tag of 64 hexadecimal digits each.
    package static let byteCount = 132

    /// The encoded ticket.
    package let secret: Secret
    let digest: SessionDigest

    /// Creates the ticket of a session.
    init(of digest: SessionDigest, _ key: StoreKey) {
        var text = SecretBytes(capacity: Self.byteCount)
        _ = text.append(Self.prefix.span)
        for byte in digest.bytes + key.ticketTag(of: digest) {
            _ = text.append(Hexadecimal.digit(byte >> 4)) && text.append(Hexadecimal.digit(byte & 15))
        }
        secret = Secret(text)
        self.digest = digest
    }

    /// Parses a ticket that a client presents; nil if it was not created with this key.
    init?(_ shown: Secret, _ key: StoreKey) {
        guard shown.count == Self.byteCount else { return nil }
        let bytes = shown.withBytes { text -> [UInt8]? in
            var bytes: [UInt8] = []
            for index in stride(from: Self.prefix.count, to: text.count, by: 2) {
                guard let high = Hexadecimal.value(of: text[index]), let low = Hexadecimal.value(of: text[index + 1])
                else { return nil }
                bytes.append(high << 4 | low)
            }
            return bytes
        }
        guard let bytes else { return nil }
        let whole = SessionTicket(of: SessionDigest(bytes: Array(bytes.prefix(32))), key)
        guard whole.secret.isEqual(to: shown) else { return nil }
        self = whole
    }
}

extension AccountService {
    /// The ticket for the session with this token; nil if the token is malformed.
    package func ticket(for token: Secret) -> Secret? {
        digest(of: token).map { SessionTicket(of: $0, key).secret }
    }

    /// Finds the session for a ticket, like ``session(for:)``.
    ///
    /// - Throws: ``AccountError/noSession``.
    package func session(forTicket ticket: Secret) async throws(AccountError) -> LiveSession {
        try await membership(forTicket: ticket).0
    }

    /// The session for a ticket and the groups of its owner, like ``membership(for:)``.
    ///
    /// - Throws: ``AccountError/noSession``.
    package func membership(forTicket ticket: Secret) async throws(AccountError) -> (LiveSession, [GroupName]) {
        guard let ticket = SessionTicket(ticket, key) else { throw .noSession }
        return try await membership(of: ticket.digest)
    }
}
