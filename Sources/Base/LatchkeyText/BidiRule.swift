import CUnistring

/// The Bidi rule of RFC 5893, section 2, for names that read in the same direction wherever they appear.
enum BidiRule {
    /// Whether the name satisfies the six conditions. If it contains no right-to-left scalar, the rule does not apply
    /// (RFC 8264, section 7).
    static func holds(for scalars: [Unicode.Scalar]) -> Bool {
        !isRightToLeft(scalars) || meetsConditions(scalars)
    }

    /// Whether this label makes the rule apply to its domain.
    static func isRightToLeft(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.contains { [r, al, an].contains($0.bidiClass) }
    }

    /// Whether a label satisfies the six conditions. If one label of a domain is right to left, all labels must satisfy
    /// them.
    static func meetsConditions(_ scalars: [Unicode.Scalar]) -> Bool {
        let classes = scalars.map(\.bidiClass)
        // Condition 1.
        guard let first = classes.first, [l, r, al].contains(first), let last = classes.last(where: { $0 != nsm })
        else { return false }
        if first == l {
            // Conditions 5 and 6.
            return classes.allSatisfy { [l, en, es, cs, et, on, bn, nsm].contains($0) } && [l, en].contains(last)
        }
        // Conditions 2 to 4.
        return classes.allSatisfy { [r, al, an, en, es, cs, et, on, bn, nsm].contains($0) }
            && [r, al, en, an].contains(last)
            && !(classes.contains(en) && classes.contains(an))
    }

    private static let l = Int(UC_BIDI_L)
    private static let r = Int(UC_BIDI_R)
    private static let al = Int(UC_BIDI_AL)
    private static let an = Int(UC_BIDI_AN)
    private static let en = Int(UC_BIDI_EN)
    private static let es = Int(UC_BIDI_ES)
    private static let cs = Int(UC_BIDI_CS)
    private static let et = Int(UC_BIDI_ET)
    private static let on = Int(UC_BIDI_ON)
    private static let bn = Int(UC_BIDI_BN)
    private static let nsm = Int(UC_BIDI_NSM)
}
