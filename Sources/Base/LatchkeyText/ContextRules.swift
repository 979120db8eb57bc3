import CUnistring

/// The contextual rules of RFC 5892, appendix A, for scalars that are allowed only in some positions of a name.
enum ContextRules {
    /// Whether a rule exists for `scalar` (CONTEXTJ and CONTEXTO).
    static func apply(to scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00B7, 0x0375, 0x05F3, 0x05F4, 0x200C, 0x200D, 0x30FB, 0x0660...0x0669, 0x06F0...0x06F9: true
        default: false
        }
    }

    /// Whether `scalars[index]` satisfies its rule. Only call this if ``apply(to:)`` returns true for it.
    static func allow(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let before = index > 0 ? scalars[index - 1] : nil
        let after = index + 1 < scalars.count ? scalars[index + 1] : nil
        switch scalars[index].value {
        case 0x200C, 0x200D: return allowJoiner(index, in: scalars)
        // A.3, middle dot: allowed between two letters l, as in Catalan.
        case 0x00B7: return before == "l" && after == "l"
        // A.4, Greek lower numeral sign.
        case 0x0375: return after.map { Script.greek.contains($0) } ?? false
        // A.5 and A.6, Hebrew geresh and gershayim.
        case 0x05F3, 0x05F4: return before.map { Script.hebrew.contains($0) } ?? false
        // A.7, Katakana middle dot.
        case 0x30FB:
            return scalars.contains {
                Script.hiragana.contains($0) || Script.katakana.contains($0) || Script.han.contains($0)
            }
        // A.8 and A.9: both kinds of Arabic digits must not occur together.
        case 0x0660...0x0669: return !scalars.contains { (0x06F0...0x06F9).contains($0.value) }
        case 0x06F0...0x06F9: return !scalars.contains { (0x0660...0x0669).contains($0.value) }
        default: return false
        }
    }

    /// A.1 and A.2, CONTEXTJ: a joiner or non-joiner is allowed after a virama, and a non-joiner between letters that
    /// would join.
    static func allowJoiner(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        guard index > 0 else { return false }
        return allowJoiner(
            scalars[index], after: scalars[index - 1],
            joiningBefore: scalars[..<index].last { $0.joiningType != Int(UC_JOINING_TYPE_T) }?.joiningType,
            joiningAfter: scalars[(index + 1)...].first { $0.joiningType != Int(UC_JOINING_TYPE_T) }?.joiningType)
    }

    /// Like ``allowJoiner(_:in:)``, but without an array. It takes the joining types of the nearest non-transparent
    /// scalars on both sides.
    static func allowJoiner(
        _ joiner: Unicode.Scalar, after last: Unicode.Scalar, joiningBefore before: Int?, joiningAfter after: Int?
    ) -> Bool {
        if last.isVirama { return true }
        return joiner == "\u{200C}"
            && (before == Int(UC_JOINING_TYPE_L) || before == Int(UC_JOINING_TYPE_D))
            && (after == Int(UC_JOINING_TYPE_R) || after == Int(UC_JOINING_TYPE_D))
    }
}
