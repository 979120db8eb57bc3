public import LatchkeySecrets

/// The key stored next to the database. Without it, an attacker with a copy of the database can test neither recovery
/// codes nor typed names.
///
/// Each purpose uses a separate domain, so that a tag for one purpose is useless for another.
public struct StoreKey: Sendable {
    /// The length of the key in bytes.
    public static let byteCount = 32

    private let key: Secret

    /// Nil unless `key` has 32 bytes.
    public init?(_ key: Secret) {
        guard key.count == Self.byteCount else { return nil }
        self.key = key
    }

    private enum Domain: String {
        case recovery, app, throttle, identifier, extra, source, codes, challenge, name, ticket, sealing, store, lookup
        case row, client, refresh, device, lane, seal, invitation
    }

    /// The tag to store instead of a recovery code.
    package func tag(of code: RecoveryCode) -> RecoveryCodeTag {
        RecoveryCodeTag(bytes: code.symbols.withBytes { tag(of: $0, for: .recovery) })
    }

    /// The tag to store instead of an app password. It covers the account, so that the row is useless for another
    /// account.
    ///
    /// - Parameters:
    ///   - code: nil for malformed input; the tag then matches no app password.
    ///   - account: nil for an unknown name.
    package func tag(ofAppPassword code: RecoveryCode?, of account: AccountID?) -> [UInt8] {
        let id = account?.bytes ?? []
        var message = SecretBytes(capacity: id.count + RecoveryCode.Kind.issued.rawValue)
        _ = message.append(id.span)
        if let code { _ = code.symbols.withBytes { message.append($0) } }
        return message.withBytes { tag(of: $0, for: .app) }
    }

    /// The throttle of an unknown name: one of 65,536, so that an attacker can neither fill the disk with rows nor
    /// evict an active throttle.
    package func throttle(ofUnknownName name: String) -> Throttle {
        .unknownName(row: row(of: name.utf8Span.span, for: .throttle))
    }

    /// The throttle that counts the codes of sign-ups with an address from a network.
    func throttle(ofSignUpFor address: EmailAddress, from network: [UInt8]) -> Throttle {
        let name = Array(address.folded.utf8) + [0] + network
        return .unknownName(row: row(of: name.span, for: .throttle))
    }

    /// The throttle of a typed identifier, known or not: one of 65,536, as for unknown names.
    package func throttle(ofIdentifier name: String) -> Throttle {
        .identifier(row: row(of: name.utf8Span.span, for: .identifier))
    }

    /// The time at which a blocked throttle starts to admit the extra attempt of a window (``ExtraAttempt``).
    ///
    /// Every millisecond of the window is almost equally likely: the bias of 64 bits modulo 900,000 is negligible.
    func moment(ofWindow number: Int64, in throttle: Throttle) -> Timestamp {
        let lane =
            switch throttle {
            case .account(let id): "account " + id.text
            case .unknownName(let row): "unknown \(row)"
            case .identifier(let row): "identifier \(row)"
            case .device(let digest): "device " + Hexadecimal.text(of: digest)
            case .codes(let id): "codes " + id.text
            case .codesFromNetwork(let row): "codes from \(row)"
            }
        let text = "\(lane) \(number)"
        let tag = tag(of: text.utf8Span.span, for: .extra)
        let random = tag.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let offset = random % UInt64(ExtraAttempt.window.wholeMilliseconds)
        return ExtraAttempt.start(ofWindow: number).advanced(by: .milliseconds(Int64(offset)))
    }

    /// The throttle of the one-time codes that a network tries for an account: one of 65,536, as for unknown names.
    ///
    /// - Parameter network: as in ``RequestSource``; empty for a local request.
    func throttle(ofCodesFrom network: [UInt8], for account: AccountID) -> Throttle {
        let message = account.bytes + network
        return .codesFromNetwork(row: row(of: message.span, for: .codes))
    }

    /// The part of an anonymous challenge that only the holder of the key can compute: 16 bytes.
    func tag(ofChallenge head: [UInt8], in network: [UInt8]) -> [UInt8] {
        let message = head + network
        return Array(tag(of: message.span, for: .challenge).prefix(16))
    }

    /// The row that counts the failures of a source: one of 65,536, as for unknown names.
    package func row(of source: RequestSource) -> UInt16 {
        row(of: source.network.span, for: .source)
    }

    /// The replacement for an unknown name in the audit trail, where users sometimes type a password by mistake: 16
    /// hexadecimal digits.
    package func auditTag(of name: String) -> String {
        Hexadecimal.text(of: tag(of: name.utf8Span.span, for: .name).prefix(8))
    }

    /// The part of a session ticket that requires the key to compute.
    func ticketTag(of session: SessionDigest) -> [UInt8] { tag(of: session.bytes.span, for: .ticket) }

    /// The tag in a remote store that prevents the use of a different store's key: 32 bytes.
    ///
    /// - Parameter id: the store's ID.
    public func tag(ofStore id: [UInt8]) -> [UInt8] { tag(of: id.span, for: .store) }

    /// The key under which the store finds the row of a token. Only a holder of the store's key can compute it.
    ///
    /// - Parameter digest: the SHA-256 of the token, which stores contained before schema 14.
    package func lookupKey(of digest: [UInt8]) -> [UInt8] { tag(of: digest.span, for: .lookup) }

    /// The ID of the account that an invitation creates. Who has the invitation can therefore sign up again until the
    /// address is verified, although the invitation itself is used up.
    ///
    /// - Parameter digest: the ``lookupKey(of:)`` of the invitation.
    func account(ofInvitation digest: [UInt8]) -> AccountID {
        AccountID(random: tag(of: digest.span, for: .invitation)[..<16])
    }

    /// The digest to store instead of an application's secret, 32 bytes. It covers the application, so that the digest is
    /// useless in another row.
    func digest(ofClientSecret secret: Secret, of client: String) -> [UInt8] {
        let id = Array(client.utf8) + [0]
        var message = SecretBytes(capacity: id.count + secret.count)
        _ = message.append(id.span)
        _ = secret.withBytes { message.append($0) }
        return message.withBytes { tag(of: $0, for: .client) }
    }

    /// The random part of the refresh token that follows another one, 32 bytes. A repeated refresh therefore gets the same
    /// token, although the store contains neither of them.
    func successor(ofRefreshToken token: Secret) -> SecretBytes {
        let bytes = token.withBytes { tag(of: $0, for: .refresh) }
        var secret = SecretBytes(capacity: bytes.count)
        _ = secret.append(bytes.span)
        return secret
    }

    /// The tag to store instead of the code that an owner types to connect a device.
    func tag(ofUserCode letters: Secret) -> [UInt8] { letters.withBytes { tag(of: $0, for: .device) } }

    /// The tag of a ``TaggedRow``, 32 bytes.
    ///
    /// - Parameter kind: the first field.
    func tag(ofRow fields: [UInt8], after kind: [UInt8]) -> [UInt8] {
        tag(of: fields.span, after: kind, for: .row)
    }

    /// The tag of a record in a lane, 32 bytes. It covers the record before it, by its tag.
    func tag(of record: PendingRecord, in lane: AuditLane) -> [UInt8] {
        var fields = RowFields()
        fields.append(lane.id)
        fields.append(lane.number + 1)
        fields.append(Int64(record.weight))
        fields.append(AuditEncoding.bytes(of: record.record))
        fields.append(lane.head)
        return tag(of: fields.bytes.span, for: .lane)
    }

    /// The tag of the end of the trail, 32 bytes.
    ///
    /// - Parameter lanes: the sealed end of each lane, in any order.
    package func seal(of head: AuditHead, _ lanes: [AuditLane]) -> [UInt8] {
        var fields = RowFields()
        fields.append(head.sequence)
        fields.append(head.hash)
        for lane in lanes.sorted(by: { $0.id < $1.id }) {
            fields.append(lane.id)
            fields.append(lane.number)
            fields.append(lane.head)
        }
        return tag(of: fields.bytes.span, for: .seal)
    }

    /// The key that seals secrets if the store has no sealing keys, 32 bytes.
    var sealingKey: Secret {
        let domain = Array(Domain.sealing.rawValue.utf8)
        return HMACSHA256.derivedKey(for: domain.span, from: key)
    }

    private func row(of message: Span<UInt8>, for domain: Domain) -> UInt16 {
        let tag = tag(of: message, for: domain)
        return UInt16(tag[0]) << 8 | UInt16(tag[1])
    }

    /// - Parameter start: the start of the message, which is no secret.
    private func tag(of message: Span<UInt8>, after start: [UInt8] = [], for domain: Domain) -> [UInt8] {
        let prefix = Array(domain.rawValue.utf8) + [0] + start
        return HMACSHA256.tag(of: message, after: prefix.span, key: key)
    }
}
