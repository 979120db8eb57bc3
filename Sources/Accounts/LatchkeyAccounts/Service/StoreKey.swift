public import LatchkeySecrets

/// The key stored next to the database. Without it, a thief of the database can test neither recovery codes nor typed
/// names.
///
/// Each use has a separate domain, so that a tag for one purpose is useless for another.
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
        case recovery, app, throttle, identifier, extra, source, name, ticket, sealing, store, lookup, row
    }

    /// The tag that the store contains instead of a recovery code.
    package func tag(of code: RecoveryCode) -> RecoveryCodeTag {
        RecoveryCodeTag(bytes: code.symbols.withBytes { tag(of: $0, for: .recovery) })
    }

    /// The tag that the store contains instead of an app password. It covers the account, so that the row works for no
    /// other account.
    ///
    /// - Parameters:
    ///   - code: nil for malformed input, whose tag matches no app password.
    ///   - account: nil for an unknown name.
    package func tag(ofAppPassword code: RecoveryCode?, of account: AccountID?) -> [UInt8] {
        let id = account?.bytes ?? []
        var message = SecretBytes(capacity: id.count + RecoveryCode.Kind.issued.rawValue)
        _ = message.append(id.span)
        if let code { _ = code.symbols.withBytes { message.append($0) } }
        return message.withBytes { tag(of: $0, for: .app) }
    }

    /// The throttle of an unknown name: one of 65,536, so that an attacker can neither fill the disk with rows nor
    /// evict a busy one.
    package func throttle(ofUnknownName name: String) -> Throttle {
        .unknownName(row: row(of: name.utf8Span.span, for: .throttle))
    }

    /// The throttle of a typed identifier, known or not: one of 65,536, as for unknown names.
    package func throttle(ofIdentifier name: String) -> Throttle {
        .identifier(row: row(of: name.utf8Span.span, for: .identifier))
    }

    /// The time from which a blocked throttle admits the extra attempt of a window (``ExtraAttempt``).
    ///
    /// Every millisecond of the window is about equally likely: the bias of 64 bits modulo 900,000 is negligible.
    func moment(ofWindow number: Int64, in throttle: Throttle) -> Timestamp {
        let lane =
            switch throttle {
            case .account(let id): "account " + id.text
            case .unknownName(let row): "unknown \(row)"
            case .identifier(let row): "identifier \(row)"
            case .device(let digest): "device " + Hexadecimal.text(of: digest)
            }
        let text = "\(lane) \(number)"
        let tag = tag(of: text.utf8Span.span, for: .extra)
        let random = tag.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let offset = random % UInt64(ExtraAttempt.window.wholeMilliseconds)
        return ExtraAttempt.start(ofWindow: number).advanced(by: .milliseconds(Int64(offset)))
    }

    /// The row that counts the failures of a source: one of 65,536, as for unknown names.
    package func row(of source: RequestSource) -> UInt16 {
        row(of: source.network.span, for: .source)
    }

    /// Replaces an unknown name in the audit trail, because people sometimes type passwords there: 16 hexadecimal
    /// digits.
    package func auditTag(of name: String) -> String {
        Hexadecimal.text(of: tag(of: name.utf8Span.span, for: .name).prefix(8))
    }

    /// The part of a session ticket that only the holder of the key can compute.
    func ticketTag(of session: SessionDigest) -> [UInt8] { tag(of: session.bytes.span, for: .ticket) }

    /// The tag in a remote store that prevents its use with the key of another store: 32 bytes.
    ///
    /// - Parameter id: the store's ID.
    public func tag(ofStore id: [UInt8]) -> [UInt8] { tag(of: id.span, for: .store) }

    /// The key under which the store finds the row of a token. Without the store's key, nobody can compute it.
    ///
    /// - Parameter digest: the SHA-256 of the token, which stores had before schema 14.
    package func lookupKey(of digest: [UInt8]) -> [UInt8] { tag(of: digest.span, for: .lookup) }

    /// The tag of a ``TaggedRow``, 32 bytes.
    func tag(ofRow fields: [UInt8]) -> [UInt8] { tag(of: fields.span, for: .row) }

    /// The key that seals secrets of a store without sealing keys, 32 bytes.
    var sealingKey: Secret {
        let domain = Array(Domain.sealing.rawValue.utf8)
        return HMACSHA256.derivedKey(for: domain.span, from: key)
    }

    private func row(of message: Span<UInt8>, for domain: Domain) -> UInt16 {
        let tag = tag(of: message, for: domain)
        return UInt16(tag[0]) << 8 | UInt16(tag[1])
    }

    private func tag(of message: Span<UInt8>, for domain: Domain) -> [UInt8] {
        let prefix = Array(domain.rawValue.utf8) + [0]
        var input = SecretBytes(capacity: prefix.count + message.count)
        _ = input.append(prefix.span)
        _ = input.append(message)
        return input.withBytes { HMACSHA256.tag(of: $0, key: key) }
    }
}
