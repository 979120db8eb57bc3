/// The UsernameCaseMapped profile of RFC 8265, section 3.3: one spelling for each name, in which names are compared.
///
/// Categories, widths and directions are those of Unicode 14 (libunistring 1.0). Lower-casing is Unicode's full mapping,
/// scalar by scalar: no locale (a Turkish one would make two accounts of one name) and no look at neighbours, since the
/// profile does not treat a final sigma specially (RFC 8265, section 3.5); and from libunistring, not the standard
/// library, so that a newer toolchain does not move a stored name.
///
/// `@` is an ASCII sign like others here, and names in two scripts pass: see ``ScriptMixture``.
public enum UsernameCaseMapped {
    /// Why a text is no name.
    public enum Violation: Error, Equatable, Sendable {
        case empty
        /// More than `maximum` scalars after mapping.
        case tooLong(maximum: Int)
        /// The first scalar that no name may have, or not in this place: white space, a symbol, an unassigned scalar,
        /// a joiner between letters that do not join.
        case disallowed(scalar: Unicode.Scalar)
        /// Right-to-left letters in an order that RFC 5893, section 2, forbids.
        case bidirectional
    }

    /// The most scalars that a mapped name may have; the least is one.
    public static let maximumScalarCount = 64

    /// Why `text` is no name, or nil; what ``prepared(_:)`` would throw, without a copy where it is ASCII.
    public static func violation(in text: UTF8Span) -> Violation? {
        if Normalization.isASCII(text) { return violation(inASCII: text.span) }
        do throws(Violation) {
            _ = try prepared(text)
            return nil
        } catch {
            return error
        }
    }

    /// The name as it is stored and looked up. Preparing it again changes nothing.
    ///
    /// - Parameter text: of any length; the work is linear in it.
    /// - Throws: the first violation, in the profile's order: width, case, NFC, length, Bidi rule, IdentifierClass.
    public static func prepared(_ text: UTF8Span) throws(Violation) -> String {
        if Normalization.isASCII(text) {
            if let violation = violation(inASCII: text.span) { throw violation }
            return Normalization.nfcInSmallASCII(text)
        }
        return try preparedByProfile(text)
    }

    /// In ASCII width and NFC change nothing, no scalar is right to left, and the IdentifierClass is what prints (RFC 8264,
    /// section 9.11).
    private static func violation(inASCII bytes: Span<UInt8>) -> Violation? {
        if bytes.isEmpty { return .empty }
        if bytes.count > maximumScalarCount { return .tooLong(maximum: maximumScalarCount) }
        return bytes.indices.first { !(0x21...0x7E).contains(bytes[$0]) }
            .map { .disallowed(scalar: Unicode.Scalar(bytes[$0])) }
    }

    /// All the profile's steps, for any text: what ``prepared(_:)`` is an abbreviation of.
    package static func preparedByProfile(_ text: UTF8Span) throws(Violation) -> String {
        let name = mapped(text)
        let scalars = Array(name.unicodeScalars)
        if scalars.isEmpty { throw .empty }
        if scalars.count > maximumScalarCount { throw .tooLong(maximum: maximumScalarCount) }
        if !BidiRule.holds(for: scalars) { throw .bidirectional }
        if let scalar = IdentifierClass.firstDisallowed(in: scalars) { throw .disallowed(scalar: scalar) }
        return name
    }

    /// The profile's mappings alone, of width, case and NFC: what a part of a name is compared by, which need be no name.
    package static func mapped(_ text: UTF8Span) -> String {
        var mapped = String.UnicodeScalarView()
        var iterator = text.makeUnicodeScalarIterator()
        while let scalar = iterator.next() {
            if scalar.isASCII {
                // Most letters of most names; a table for each would take longer than all the rest.
                mapped.append("A"..."Z" ~= scalar ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
                continue
            }
            for narrow in scalar.widthMapped { mapped.append(contentsOf: narrow.lowercased) }
        }
        return Normalization.nfc(String(mapped).utf8Span)
    }
}
