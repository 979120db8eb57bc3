package import LatchkeySecrets

/// The OpaqueString profile of RFC 8265, section 4.2, for passwords. It works on bytes and creates no `String` of a
/// secret.
///
/// It is less strict than the FreeformClass (RFC 8264, section 4.3), because it only refuses a ``Violation``. Emoji
/// sequences and old Hangul are harmless, and people use them in passwords. Invisible scalars come from pasted text and
/// would lock the owner out. "Unassigned" refers to Unicode 14 (libunistring).
package enum OpaqueString {
    /// The reason why a value cannot be a password.
    package enum Violation: Error, Equatable, Sendable {
        case empty
        /// The value contains a scalar of category Cc.
        case controlCharacter
        case noncharacter
        /// The value contains an unassigned scalar, which a later version of Unicode may normalize differently.
        case unassigned
        /// The value contains a default ignorable scalar, such as a zero-width space, outside emoji and words that need
        /// joiners.
        case invisible
        case notUTF8
        /// The value has more than ``OpaqueString/maximumByteCount`` bytes of UTF-8 before normalization.
        case tooLong
        /// The system is out of memory; the value may be valid.
        case outOfMemory
    }

    /// The maximum length of a password in bytes of UTF-8 before normalization. It allows 64 scalars of any kind (NIST
    /// SP 800-63B-4, section 3.1.1.2) and limits the work of the service.
    package static let maximumByteCount = 1024

    /// The first reason why `value` must not be set as a password; nil if it may be set.
    ///
    /// Only for new passwords. To verify a password, only use ``prepared(_:)-(Secret)``.
    package static func violation(in value: UTF8Span) -> Violation? {
        if value.isEmpty { return .empty }
        if value.count > maximumByteCount { return .tooLong }
        if Normalization.isASCII(value) {
            let bytes = value.span
            return bytes.indices.contains { bytes[$0] < 0x20 || bytes[$0] == 0x7F } ? .controlCharacter : nil
        }
        var scalars = value.makeUnicodeScalarIterator()
        while let scalar = scalars.next() {
            if scalar.isControl { return .controlCharacter }
            if scalar.isNoncharacter { return .noncharacter }
            if scalar.isUnassigned { return .unassigned }
        }
        return InvisibleScalars.arePresent(in: value) ? .invisible : nil
    }

    /// The number of scalars in the prepared password. This length is the relevant one (NIST SP 800-63B-4, section
    /// 3.1.1.2), because it does not depend on how an accent was typed.
    package static func scalarCount(of value: UTF8Span) -> Int {
        // Mapping spaces preserves the count, and no scalar composes with a space, so that NFC alone determines the
        // count.
        Normalization.withNFC(of: value) { prepared in
            prepared.indices.count { !UTF8.isContinuation(prepared[$0]) }
        }
    }

    /// The bytes to hash or verify: non-ASCII spaces (Zs) are replaced with U+0020, and the result is converted to NFC.
    /// Case and white space at both ends are preserved.
    ///
    /// - Throws: only ``Violation/notUTF8``, ``Violation/tooLong`` or ``Violation/outOfMemory``, so that a new version
    ///   of Unicode cannot lock out any user.
    package static func prepared(_ secret: Secret) throws(Violation) -> Secret {
        try secret.withBytes { (bytes) throws(Violation) in
            guard bytes.count <= maximumByteCount else { throw .tooLong }
            do {
                let value = try UTF8Span(validating: bytes)
                if Normalization.isASCII(value) { return secret }
                return try prepared(value)
            } catch let violation as Violation {
                throw violation
            } catch {
                throw .notUTF8
            }
        }
    }

    /// Prepares a secret that is known to be UTF-8.
    ///
    /// The input, the result and the intermediate copy are in locked memory. libunistring's buffers for sorting
    /// combining marks are not erased: one on its stack, and one on the heap for more than 64 consecutive marks. ASCII
    /// does not use them.
    package static func prepared(_ value: UTF8Span) throws(Violation) -> Secret {
        guard value.count <= maximumByteCount else { throw .tooLong }
        if Normalization.isASCII(value) { return Secret(copying: value.span) }
        return try normalized(mapped(value, growth: 1) { $0.isSpaceSeparator ? [" "] : [$0] })
    }

    /// The case-folded form of a prepared value, only for looking it up in lists of common passwords. It consists of
    /// full case folding (Unicode 14, section 3.13) followed by NFC. If nothing changes, it returns the same secret,
    /// because locked memory is scarce and this runs on each key press.
    package static func caseFolded(_ prepared: Secret) throws(Violation) -> Secret {
        try prepared.withBytes { (bytes) throws(Violation) in
            guard let value = try? UTF8Span(validating: bytes) else { throw .notUTF8 }
            guard Normalization.isASCII(value) else {
                // Full case folding grows UTF-8 by at most a factor of three (U+0390; Unicode 14, section 5.18).
                return try normalized(mapped(value, growth: 3, \.caseFolded))
            }
            guard bytes.indices.contains(where: { bytes[$0] != smallLetter(bytes[$0]) }) else { return prepared }
            var folded = SecretBytes(capacity: bytes.count)
            for index in bytes.indices where !folded.append(smallLetter(bytes[index])) { throw .outOfMemory }
            return Secret(folded)
        }
    }

    /// Prepares and case-folds a public word, such as a name, for comparing passwords with it.
    package static func caseFolded(word: UTF8Span) throws(Violation) -> [UInt8] {
        guard word.count <= maximumByteCount else { throw .tooLong }
        if Normalization.isASCII(word) {
            let bytes = word.span
            return bytes.indices.map { smallLetter(bytes[$0]) }
        }
        func normalized(_ scalars: [Unicode.Scalar]) -> String {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            let string = String(text)
            return Normalization.nfc(string.utf8Span)
        }
        let prepared = normalized(String(copying: word).unicodeScalars.map { $0.isSpaceSeparator ? " " : $0 })
        return Array(normalized(prepared.unicodeScalars.flatMap(\.caseFolded)).utf8)
    }

    private static func smallLetter(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    private static func mapped(
        _ value: UTF8Span, growth: Int, _ map: (Unicode.Scalar) -> [Unicode.Scalar]
    ) throws(Violation) -> SecretBytes {
        var mapped = SecretBytes(capacity: value.count * growth)
        var scalars = value.makeUnicodeScalarIterator()
        while let scalar = scalars.next() {
            for kept in map(scalar) {
                guard let units = UTF8.encode(kept) else { throw .notUTF8 }
                for unit in units where !mapped.append(unit) { throw .outOfMemory }
            }
        }
        return mapped
    }

    private static func normalized(_ value: borrowing SecretBytes) throws(Violation) -> Secret {
        var result = SecretBytes(capacity: value.count * Normalization.expansion)
        try value.withBytes { (bytes) throws(Violation) in
            try unsafe bytes.withUnsafeBufferPointer { (input) throws(Violation) in
                try unsafe result.fill { (output) throws(Violation) in
                    guard output.count >= input.count * Normalization.expansion,
                        let count = unsafe Normalization.nfc(of: input, into: output)
                    else { throw .outOfMemory }
                    return count
                }
            }
        }
        return Secret(result)
    }
}
