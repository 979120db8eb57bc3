import LatchkeySecrets

/// A stored Argon2 hash in parts: `$argon2id$v=19$m=65536,t=3,p=1$salt$tag`, the PHC string format.
///
/// Read here and not by libargon2, which takes a missing version for version 1.0. There is one text for each value:
/// what can be read is written the same, byte by byte.
package struct PHCString: Equatable, Sendable {
    /// The longest text, in bytes.
    package static let maximumByteCount = 256
    /// How many bytes of salt are read; RFC 9106, section 3.1 has 8 as the least.
    package static let saltByteCounts = 8...48
    /// How many bytes of tag are read.
    package static let tagByteCounts = 12...64

    package let variant: Argon2.Variant
    package let parameters: Argon2Parameters
    package let salt: [UInt8]
    package let tag: [UInt8]

    /// Nil for a salt or tag of another length than ``saltByteCounts`` and ``tagByteCounts`` have.
    package init?(
        variant: Argon2.Variant = .id, parameters: Argon2Parameters, salt: [UInt8], tag: [UInt8]
    ) {
        guard Self.saltByteCounts ~= salt.count, Self.tagByteCounts ~= tag.count else { return nil }
        self.variant = variant
        self.parameters = parameters
        self.salt = salt
        self.tag = tag
    }

    /// Nil for whatever is not the text of such a hash to the byte.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].isEmpty,
            let variant = Argon2.Variant.allCases.first(where: { parts[1].elementsEqual($0.rawValue.utf8) }),
            parts[2].elementsEqual("v=19".utf8),
            let parameters = Self.parameters(of: parts[3]),
            let salt = UnpaddedBase64.bytes(of: parts[4]), let tag = UnpaddedBase64.bytes(of: parts[5])
        else { return nil }
        self.init(variant: variant, parameters: parameters, salt: salt, tag: tag)
    }

    /// ASCII, at most ``maximumByteCount`` bytes.
    package var text: String {
        """
        $\(variant.rawValue)$v=19$m=\(parameters.memory),t=\(parameters.iterations),p=\(parameters.parallelism)\
        $\(UnpaddedBase64.text(of: salt.span))$\(UnpaddedBase64.text(of: tag.span))
        """
    }

    private static func parameters(of text: Substring.UTF8View) -> Argon2Parameters? {
        let parts = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 3, let memory = number("m=", in: parts[0]), let iterations = number("t=", in: parts[1]),
            let parallelism = number("p=", in: parts[2])
        else { return nil }
        return Argon2Parameters(memory: memory, iterations: iterations, parallelism: parallelism)
    }

    private static func number(_ key: String, in text: Substring.UTF8View) -> UInt32? {
        guard text.starts(with: key.utf8) else { return nil }
        return Substring(text.dropFirst(key.utf8.count)).plainNumber
    }
}
