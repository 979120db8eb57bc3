import LatchkeyAccounts
import LatchkeySecrets

/// A parsed Argon2 hash: `$argon2id$v=19$m=65536,t=3,p=1$salt$tag`, the PHC string format.
///
/// Latchkey does not use libargon2's parser, because that reads a missing version as version 1.0. Each value has
/// exactly one encoding, so a parsed hash is written back byte for byte.
package struct PHCString: Equatable, Sendable {
    /// The maximum length in bytes.
    package static let maximumByteCount = 256
    /// The accepted lengths of a salt in bytes; RFC 9106, section 3.1, requires at least 8.
    package static let saltByteCounts = 8...48
    /// The accepted lengths of a tag in bytes.
    package static let tagByteCounts = 12...64

    /// The variant of Argon2.
    package let variant: Argon2.Variant
    /// Memory, passes and lanes.
    package let parameters: Argon2Parameters
    /// The decoded salt.
    package let salt: [UInt8]
    /// The decoded tag.
    package let tag: [UInt8]

    /// Nil if the length of the salt or the tag is not supported.
    package init?(
        variant: Argon2.Variant = .id, parameters: Argon2Parameters, salt: [UInt8], tag: [UInt8]
    ) {
        guard Self.saltByteCounts ~= salt.count, Self.tagByteCounts ~= tag.count else { return nil }
        self.variant = variant
        self.parameters = parameters
        self.salt = salt
        self.tag = tag
    }

    /// Nil unless the string is in the canonical form of ``text``.
    package init?(_ text: String) {
        let text = text.utf8Span.span
        guard let parts = Parts(text), let salt = UnpaddedBase64.bytes(of: text.extracting(parts.salt)),
            let tag = UnpaddedBase64.bytes(of: text.extracting(parts.tag))
        else { return nil }
        self.init(variant: parts.variant, parameters: parts.parameters, salt: salt, tag: tag)
    }

    /// The parameters of a hash, or nil if ``init(_:)`` returns nil. It does not copy, because an import reads millions
    /// of hashes.
    package static func parameters(of text: String) -> Argon2Parameters? {
        let text = text.utf8Span.span
        guard let parts = Parts(text), let salt = UnpaddedBase64.byteCount(of: text.extracting(parts.salt)),
            let tag = UnpaddedBase64.byteCount(of: text.extracting(parts.tag)), saltByteCounts ~= salt,
            tagByteCounts ~= tag
        else { return nil }
        return parts.parameters
    }

    /// The parsed parts of a hash, with the positions of the encoded salt and tag.
    private struct Parts {
        let variant: Argon2.Variant
        let parameters: Argon2Parameters
        let salt: Range<Int>
        let tag: Range<Int>

        init?(_ text: Span<UInt8>) {
            guard text.count <= maximumByteCount else { return nil }
            var position = 0
            guard let variant = PHCString.variant(in: text, &position), skip("v=19$m=", in: text, &position),
                let memory = number(in: text, &position), skip(",t=", in: text, &position),
                let iterations = number(in: text, &position), skip(",p=", in: text, &position),
                let parallelism = number(in: text, &position), skip("$", in: text, &position),
                let parameters = Argon2Parameters(memory: memory, iterations: iterations, parallelism: parallelism),
                let dollar = text.indices[position...].first(where: { text[$0] == UInt8(ascii: "$") })
            else { return nil }
            self.variant = variant
            self.parameters = parameters
            salt = position..<dollar
            tag = (dollar + 1)..<text.count
        }
    }

    /// The encoded hash in ASCII, at most ``maximumByteCount`` bytes.
    package var text: String {
        """
        $\(variant.rawValue)$v=19$m=\(parameters.memory),t=\(parameters.iterations),p=\(parameters.parallelism)\
        $\(UnpaddedBase64.text(of: salt.span))$\(UnpaddedBase64.text(of: tag.span))
        """
    }

    private static func variant(in text: Span<UInt8>, _ position: inout Int) -> Argon2.Variant? {
        // The longest name comes first, because a shorter name is its prefix.
        if skip("$argon2id$", in: text, &position) { return .id }
        if skip("$argon2i$", in: text, &position) { return .i }
        return skip("$argon2d$", in: text, &position) ? .d : nil
    }

    private static func skip(_ expected: StaticString, in text: Span<UInt8>, _ position: inout Int) -> Bool {
        let count = expected.utf8CodeUnitCount
        guard position + count <= text.count else { return false }
        for offset in 0..<count {
            guard unsafe text[position + offset] == expected.utf8Start[offset] else { return false }
        }
        position += count
        return true
    }

    /// Decimal digits without a sign or leading zeros, up to `UInt32.max`.
    private static func number(in text: Span<UInt8>, _ position: inout Int) -> UInt32? {
        let start = position
        var value: UInt64 = 0
        while position < text.count, 0x30...0x39 ~= text[position], value <= UInt64(UInt32.max) {
            value = value * 10 + UInt64(text[position] - 0x30)
            position += 1
        }
        guard position > start, position == start + 1 || text[start] != UInt8(ascii: "0") else { return nil }
        return UInt32(exactly: value)
    }
}

extension PHCString: StoredHash {
    var scheme: String { variant.rawValue }

    var traits: [HashTraits.Parameter] {
        [
            .init("m", Int(parameters.memory)), .init("t", Int(parameters.iterations)),
            .init("p", Int(parameters.parallelism)),
        ]
    }

    var memory: Int { Int(parameters.memory) }

    var milliseconds: Double { parameters.milliseconds }

    func isAllowed(by caps: StoredCostCaps) -> Bool { caps.allow(parameters) }

    func matches(_ password: Secret, using argon2: Argon2) throws(HashError) -> Bool {
        let computed = try argon2.tag(
            byteCount: tag.count, of: password, salt: salt, parameters: parameters, variant: variant)
        return computed.withBytes { ConstantTime.areEqual($0, tag.span) }
    }
}
