public import LatchkeySecrets

/// The key beside a store, which is never in it: a stolen store alone tells neither recovery codes nor what people typed.
///
/// Each use has a domain of its own, so that no tag made for one can stand for another.
public struct StoreKey: Sendable {
    /// How many bytes the key has.
    public static let byteCount = 32

    private let key: Secret

    /// Nil where `key` has not 32 bytes.
    public init?(_ key: Secret) {
        guard key.count == Self.byteCount else { return nil }
        self.key = key
    }

    private enum Domain: String {
        case recovery, throttle, source, name
    }

    /// What a store keeps in the place of a recovery code.
    package func tag(of code: RecoveryCode) -> RecoveryCodeTag {
        RecoveryCodeTag(bytes: code.symbols.withBytes { tag(of: $0, for: .recovery) })
    }

    /// The throttle of a name that nobody has: one of 65,536, so that an attacker can neither fill the disk with rows nor
    /// push a busy one out.
    package func throttle(ofUnknownName name: String) -> Throttle {
        let tag = tag(of: name.utf8Span.span, for: .throttle)
        return .unknownName(row: UInt16(tag[0]) << 8 | UInt16(tag[1]))
    }

    /// The row in which the failures of a source are counted: one of 65,536, as for names that nobody has.
    package func row(of source: RequestSource) -> UInt16 {
        let tag = tag(of: source.network.span, for: .source)
        return UInt16(tag[0]) << 8 | UInt16(tag[1])
    }

    /// Stands for a name that nobody has in the audit trail, 16 hexadecimal digits: people type passwords there.
    package func auditTag(of name: String) -> String {
        Hexadecimal.text(of: tag(of: name.utf8Span.span, for: .name).prefix(8))
    }

    private func tag(of message: Span<UInt8>, for domain: Domain) -> [UInt8] {
        let prefix = Array(domain.rawValue.utf8) + [0]
        var input = SecretBytes(capacity: prefix.count + message.count)
        _ = input.append(prefix.span)
        _ = input.append(message)
        return input.withBytes { HMACSHA256.tag(of: $0, key: key) }
    }
}
