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

    /// The name as it is stored and looked up. Preparing it again changes nothing.
    ///
    /// - Parameter text: of any length; the work is linear in it.
    /// - Throws: the first violation, in the profile's order: width, case, NFC, length, Bidi rule, IdentifierClass.
    public static func prepared(_ text: UTF8Span) throws(Violation) -> String {
        var mapped = String.UnicodeScalarView()
        var iterator = text.makeUnicodeScalarIterator()
        while let scalar = iterator.next() {
            for narrow in scalar.widthMapped { mapped.append(contentsOf: narrow.lowercased) }
        }
        let name = Normalization.nfc(String(mapped).utf8Span)
        let scalars = Array(name.unicodeScalars)
        if scalars.isEmpty { throw .empty }
        if scalars.count > maximumScalarCount { throw .tooLong(maximum: maximumScalarCount) }
        if !BidiRule.holds(for: scalars) { throw .bidirectional }
        if let scalar = IdentifierClass.firstDisallowed(in: scalars) { throw .disallowed(scalar: scalar) }
        return name
    }
}
