import CUnistring

/// The IdentifierClass of PRECIS (RFC 8264, section 4.2): letters, digits and printable ASCII.
enum IdentifierClass {
    /// The first scalar that is not allowed at its position; nil if there is none.
    static func firstDisallowed(in scalars: [Unicode.Scalar]) -> Unicode.Scalar? {
        scalars.indices.first { !allows($0, in: scalars) }.map { scalars[$0] }
    }

    /// Applies the tests in the order of RFC 8264, section 8.
    private static func allows(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[index]
        if ContextRules.apply(to: scalar) { return ContextRules.allow(index, in: scalars) }
        if let exception = exception(scalar) { return exception }
        // Noncharacters (sections 9.10 and 9.15) come before letters, and ASCII comes before compatibility mappings.
        if scalar.isUnassigned { return false }
        if scalar.isASCII { return (0x21...0x7E).contains(scalar.value) }
        if scalar.isOldHangulJamo || scalar.isDefaultIgnorable || scalar.isNoncharacter { return false }
        if scalar.isControl || scalar.hasCompatibilityMapping { return false }
        return scalar.isCategory(letterDigits)
    }

    /// The exceptions of RFC 8264, section 9.6 (the table of RFC 5892, section 2.6), without the contextual rows.
    private static func exception(_ scalar: Unicode.Scalar) -> Bool? {
        switch scalar.value {
        case 0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007: true
        case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: false
        default: nil
        }
    }

    /// The categories of RFC 8264, section 9.1: Ll, Lu, Lo, Nd, Lm, Mn, Mc.
    private static let letterDigits = UInt32(
        UC_CATEGORY_MASK_Ll | UC_CATEGORY_MASK_Lu | UC_CATEGORY_MASK_Lo | UC_CATEGORY_MASK_Nd | UC_CATEGORY_MASK_Lm
            | UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Mc)
}
