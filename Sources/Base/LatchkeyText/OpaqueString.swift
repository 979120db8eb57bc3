public import LatchkeySecrets

/// The OpaqueString profile of RFC 8265, section 4.2, for passwords. Works on bytes and creates no `String` of a
/// secret.
///
/// Less strict than the FreeformClass (RFC 8264, section 4.3): only ``Violation`` is refused. People use emoji
/// sequences and old Hangul in passwords, and they do no harm. Invisible scalars come with a pasted text and would lock
/// its owner out. "Unassigned" refers to Unicode 14 (libunistring).
public enum OpaqueString {
    /// The reason why a value cannot be a password.
    public enum Violation: Error, Equatable, Sendable {
        case empty
        /// A scalar of category Cc.
        case controlCharacter
        case noncharacter
        /// An unassigned scalar, which a later version of Unicode may normalize differently.
        case unassigned
        /// A default ignorable scalar, such as a zero-width space, outside emoji and words that need joiners.
        case invisible
        case notUTF8
        /// More than ``OpaqueString/maximumByteCount`` bytes of UTF-8 before normalization.
        case tooLong
        /// The system is out of memory; the value may be valid.
        case outOfMemory
    }

    /// The longest password in bytes of UTF-8 before normalization: enough for 64 scalars of any kind (NIST SP
    /// 800-63B-4, section 3.1.1.2), and a limit on the work of the service.
    public static let maximumByteCount = 1024

    /// The first reason why `value` must not be set as a password; nil if it may be.
    ///
    /// Only for new passwords. To verify one, use only ``prepared(_:)-(Secret)``.
    public static func violation(in value: UTF8Span) -> Violation? {
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

    /// The number of scalars of the prepared password. This is the length that counts (NIST SP 800-63B-4, section
    /// 3.1.1.2); it does not depend on how an accent was typed.
    public static func scalarCount(of value: UTF8Span) -> Int {
        // Mapping spaces keeps the count, and nothing composes with a space, so NFC alone decides.
        Normalization.withNFC(of: value) { prepared in
            prepared.indices.count { !UTF8.isContinuation(prepared[$0]) }
        }
    }

    /// The bytes to hash or verify: non-ASCII spaces (Zs) become U+0020, then NFC. Case and white space at the ends
    /// stay.
    ///
    /// - Throws: only ``Violation/notUTF8``, ``Violation/tooLong`` or ``Violation/outOfMemory``, so that a new version
    ///   of Unicode cannot lock anyone out.
    public static func prepared(_ secret: Secret) throws(Violation) -> Secret {
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

    /// Like ``prepared(_:)-(Secret)`` for a value that is known to be UTF-8.
    ///
    /// The input, the result and the copy between them are in locked memory. The buffers of libunistring for sorting
    /// combining marks (on its stack, on the heap for more than 64 in a row) are not erased; ASCII does not use them.
    public static func prepared(_ value: UTF8Span) throws(Violation) -> Secret {
        guard value.count <= maximumByteCount else { throw .tooLong }
        if Normalization.isASCII(value) { return Secret(copying: value.span) }
        return try normalized(mapped(value, growth: 1) { $0.isSpaceSeparator ? [" "] : [$0] })
    }

    /// The prepared value case-folded, only for looking it up in lists of common passwords: full case folding (Unicode
    /// 14, section 3.13), then NFC. Returns the same secret if nothing changes, because locked memory is scarce and
    /// this runs at each key press.
    public static func caseFolded(_ prepared: Secret) throws(Violation) -> Secret {
        try prepared.withBytes { (bytes) throws(Violation) in
            guard let value = try? UTF8Span(validating: bytes) else { throw .notUTF8 }
            guard Normalization.isASCII(value) else {
                // Full case folding grows UTF-8 at most by a factor of three (U+0390; Unicode 14, section 5.18).
                return try normalized(mapped(value, growth: 3, \.caseFolded))
            }
            guard bytes.indices.contains(where: { bytes[$0] != smallLetter(bytes[$0]) }) else { return prepared }
            var folded = SecretBytes(capacity: bytes.count)
            for index in bytes.indices where !folded.append(smallLetter(bytes[index])) { throw .outOfMemory }
            return Secret(folded)
        }
    }

    /// Prepares and case-folds a public word, such as a name, to compare passwords with it.
    public static func caseFolded(word: UTF8Span) throws(Violation) -> [UInt8] {
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
