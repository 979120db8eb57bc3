public import LatchkeySecrets

/// The OpaqueString profile of RFC 8265, section 4.2, for passwords. Works on bytes and never makes a `String`.
///
/// Of the FreeformClass (RFC 8264, section 4.3) only what ``violation(in:)`` names is refused: emoji sequences and old
/// Hangul are in people's passwords, and refusing them protects nobody. "Unassigned" is by libunistring's Unicode 14.
public enum OpaqueString {
    /// Why a value is no password.
    public enum Violation: Error, Equatable, Sendable {
        case empty
        /// A scalar of category Cc.
        case controlCharacter
        case noncharacter
        /// A scalar without a meaning yet: a later Unicode may normalise it differently.
        case unassigned
        case notUTF8
        /// More than ``OpaqueString/maximumByteCount`` bytes of UTF-8 before normalisation.
        case tooLong
        /// The system has no memory to give; says nothing of the value.
        case outOfMemory
    }

    /// The most bytes of UTF-8, before normalisation, that a password may have: 64 scalars of any kind fit well
    /// (NIST SP 800-63B-4, section 3.1.1.2), and nobody can make the service work on more.
    public static let maximumByteCount = 1024

    /// Why `value` may not be set as a password, or nil. The first scalar that is refused decides.
    ///
    /// Only for setting: what is stored already must be verified with ``prepared(_:)-(Secret)`` alone.
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
        return nil
    }

    /// How many scalars a password has when it is prepared: the length that counts (NIST SP 800-63B-4, section
    /// 3.1.1.2), and the same for every spelling of it.
    public static func scalarCount(of value: UTF8Span) -> Int {
        // A space of another kind becomes one space, before which and after which nothing composes: NFC alone decides.
        Normalization.withNFC(of: value) { prepared in
            prepared.indices.count { !UTF8.isContinuation(prepared[$0]) }
        }
    }

    /// The bytes to hash or verify: each non-ASCII space (Zs) as U+0020, then NFC; no case mapping, no trimming.
    ///
    /// - Throws: ``Violation/notUTF8``, ``Violation/tooLong`` or ``Violation/outOfMemory``, and nothing else, so that a
    ///   later Unicode locks nobody out.
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

    /// The same of a value that is known to be UTF-8: what rules count, compare and look up.
    ///
    /// Input, result and the copy between are in locked memory. What libunistring takes for sorting combining marks (on
    /// its stack, and on the heap for more than 64 in a row) it does not wipe, nor can a caller; ASCII never gets there.
    public static func prepared(_ value: UTF8Span) throws(Violation) -> Secret {
        guard value.count <= maximumByteCount else { throw .tooLong }
        if Normalization.isASCII(value) { return Secret(copying: value.span) }
        return try normalized(mapped(value, growth: 1) { $0.isSpaceSeparator ? [" "] : [$0] })
    }

    /// A prepared value without its differences of case, for looking it up in a list of common passwords and nothing
    /// else: Unicode's full case folding (Unicode 14, section 3.13), then NFC. Where nothing changes, it is the same
    /// secret: locked memory is dear, and this is asked at each key.
    public static func caseFolded(_ prepared: Secret) throws(Violation) -> Secret {
        try prepared.withBytes { (bytes) throws(Violation) in
            guard let value = try? UTF8Span(validating: bytes) else { throw .notUTF8 }
            guard Normalization.isASCII(value) else {
                // Full case folding makes UTF-8 at most three times longer (U+0390; Unicode 14, section 5.18).
                return try normalized(mapped(value, growth: 3, \.caseFolded))
            }
            guard bytes.indices.contains(where: { bytes[$0] != smallLetter(bytes[$0]) }) else { return prepared }
            var folded = SecretBytes(capacity: bytes.count)
            for index in bytes.indices where !folded.append(smallLetter(bytes[index])) { throw .outOfMemory }
            return Secret(folded)
        }
    }

    /// The same of a text that is no secret and need not be prepared, such as a name: what a password is compared with.
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
