/// The UsernameCaseMapped profile of RFC 8265, section 3.3: the canonical form in which usernames are compared.
///
/// Categories, widths and directions are those of Unicode 14 (libunistring 1.0). Lower-casing is Unicode's toLowerCase()
/// with its one context rule: a capital sigma at the end of a word becomes a final sigma, so that ΣΊΣΥΦΟΣ finds σίσυφος.
/// It ignores the locale, because a Turkish one would give one name two spellings. It comes from libunistring, so that a
/// newer toolchain does not change a stored name.
///
/// `@` and mixed scripts are allowed here: see ``ScriptMixture``.
package enum UsernameCaseMapped {
    /// The reason why a name is not valid.
    package enum Violation: Error, Equatable, Sendable {
        case empty
        /// The name has more than `maximum` scalars after mapping.
        case tooLong(maximum: Int)
        /// The first scalar that is not allowed at its position: white space, a symbol, an unassigned scalar, or a
        /// joiner between letters that do not join.
        case disallowed(scalar: Unicode.Scalar)
        /// The name has right-to-left letters in an order that RFC 5893, section 2, forbids.
        case bidirectional
    }

    /// The maximum number of scalars in a mapped name.
    package static let maximumScalarCount = 64

    /// The error that ``prepared(_:)`` would throw; nil if there is none. It does not copy ASCII names.
    package static func violation(in text: UTF8Span) -> Violation? {
        if Normalization.isASCII(text) { return violation(inASCII: text.span) }
        do throws(Violation) {
            _ = try prepared(text)
            return nil
        } catch {
            return error
        }
    }

    /// The name in the form for storage and look-up. Preparing it again does not change it.
    ///
    /// - Parameter text: a string of any length. The time is linear in the length.
    /// - Throws: the first violation, in the profile's order: width, case, NFC, length, Bidi rule, IdentifierClass.
    package static func prepared(_ text: UTF8Span) throws(Violation) -> String {
        if Normalization.isASCII(text) {
            if let violation = violation(inASCII: text.span) { throw violation }
            return Normalization.nfcInSmallASCII(text)
        }
        return try preparedByProfile(text)
    }

    /// The violation of an ASCII name; nil if there is none. ASCII has no widths, compositions or right-to-left
    /// scalars, and all its printable characters are in the IdentifierClass (RFC 8264, section 9.11).
    private static func violation(inASCII bytes: Span<UInt8>) -> Violation? {
        if bytes.isEmpty { return .empty }
        if bytes.count > maximumScalarCount { return .tooLong(maximum: maximumScalarCount) }
        return bytes.indices.first { !(0x21...0x7E).contains(bytes[$0]) }
            .map { .disallowed(scalar: Unicode.Scalar(bytes[$0])) }
    }

    /// All steps of the profile, without the fast path of ``prepared(_:)``. For tests and for non-ASCII names.
    package static func preparedByProfile(_ text: UTF8Span) throws(Violation) -> String {
        let name = mapped(text)
        let scalars = Array(name.unicodeScalars)
        if scalars.isEmpty { throw .empty }
        if scalars.count > maximumScalarCount { throw .tooLong(maximum: maximumScalarCount) }
        if !BidiRule.holds(for: scalars) { throw .bidirectional }
        if let scalar = IdentifierClass.firstDisallowed(in: scalars) { throw .disallowed(scalar: scalar) }
        return name
    }

    /// Only the mappings of the profile (width, case, NFC), for comparing parts of names that need not be valid names.
    package static func mapped(_ text: UTF8Span) -> String {
        if Normalization.isASCII(text) { return Normalization.nfcInSmallASCII(text) }
        var narrow: [Unicode.Scalar] = []
        var iterator = text.makeUnicodeScalarIterator()
        while let scalar = iterator.next() {
            if scalar.isASCII { narrow.append(scalar) } else { narrow += scalar.widthMapped }
        }
        return Normalization.nfc(String(String.UnicodeScalarView(narrow.lowercased)).utf8Span)
    }
}
