import CUnistring

/// Scalar properties from libunistring 1.0 (Unicode 14). This module uses no other source, so that normalization,
/// categories and widths agree on the assigned scalars. The tables of the standard library are newer.
extension Unicode.Scalar {
    /// Whether the general category is one of `mask`, a union of `UC_CATEGORY_MASK_…`.
    func isCategory(_ mask: UInt32) -> Bool { uc_is_general_category_withtable(value, mask) }

    /// Whether the category is Cc: U+0000–001F, U+007F–009F.
    var isControl: Bool { isCategory(UInt32(UC_CATEGORY_MASK_Cc)) }

    /// Whether the scalar is one of the last two of a plane or in U+FDD0–FDEF.
    var isNoncharacter: Bool { uc_is_property_not_a_character(value) }

    /// Whether the category is Cn, without the noncharacters (RFC 8264, section 9.10).
    var isUnassigned: Bool { isCategory(UInt32(UC_CATEGORY_MASK_Cn)) && !isNoncharacter }

    var isPrivateUse: Bool { isCategory(UInt32(UC_CATEGORY_MASK_Co)) }

    /// Whether the category is Mn, Mc or Me.
    var isMark: Bool { isCategory(UInt32(UC_CATEGORY_MASK_M)) }

    /// Whether the category is Zs.
    var isSpaceSeparator: Bool { isCategory(UInt32(UC_CATEGORY_MASK_Zs)) }

    var isLineOrParagraphSeparator: Bool { isCategory(UInt32(UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp)) }

    var isDefaultIgnorable: Bool { uc_is_property_default_ignorable_code_point(value) }

    var isVariationSelector: Bool { uc_is_property_variation_selector(value) }

    /// Whether the scalar is U+200C or U+200D.
    var isJoinControl: Bool { uc_is_property_join_control(value) }

    /// Whether the scalar is a virama (canonical combining class 9).
    var isVirama: Bool { uc_combining_class(value) == Int32(UC_CCC_VR) }

    /// The joining type, one of `UC_JOINING_TYPE_…`.
    var joiningType: Int { Int(uc_joining_type(value)) }

    /// The bidirectional class, one of `UC_BIDI_…`.
    var bidiClass: Int { Int(uc_bidi_class(value)) }

    /// Whether the scalar is conjoining Hangul: a leading consonant, a vowel or a trailing consonant (RFC 8264, section
    /// 9.9).
    var isOldHangulJamo: Bool {
        let property = Int(uc_graphemeclusterbreak_property(value))
        return property == Int(GBP_L) || property == Int(GBP_V) || property == Int(GBP_T)
    }

    /// Whether NFKC changes the scalar (RFC 8264, section 9.17).
    var hasCompatibilityMapping: Bool {
        let mapped = unsafe mapping { input, output, count in
            unsafe u32_normalize(latchkey_nfkc(), input, 1, output, count)
        }
        return mapped != [self]
    }

    /// The scalar, or its `<wide>` or `<narrow>` decomposition (RFC 8264, section 5.2.1).
    var widthMapped: [Unicode.Scalar] {
        var tag: Int32 = 0
        var parts = [UInt32](repeating: 0, count: Int(UC_DECOMPOSITION_MAX_LENGTH))
        let count = unsafe uc_decomposition(value, &tag, &parts)
        guard count > 0, tag == Int32(UC_DECOMP_WIDE) || tag == Int32(UC_DECOMP_NARROW) else {
            return [self]
        }
        return parts.prefix(Int(count)).compactMap(Unicode.Scalar.init)
    }

    /// The full case folding.
    var caseFolded: [Unicode.Scalar] {
        unsafe mapping { input, output, count in unsafe u32_casefold(input, 1, nil, nil, output, count) }
    }

    /// The result of a libunistring function for this single scalar; at most 18 scalars (NFKC of U+FDFA).
    private func mapping(
        _ function: (
            UnsafePointer<UInt32>, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<Int>
        ) -> UnsafeMutablePointer<UInt32>?
    ) -> [Unicode.Scalar] {
        var input = value
        var output = [UInt32](repeating: 0, count: 32)
        var count = output.count
        guard unsafe function(&input, &output, &count) != nil else { return [self] }
        return output.prefix(count).compactMap(Unicode.Scalar.init)
    }
}

extension [Unicode.Scalar] {
    /// Unicode's toLowerCase() of the whole text, with its context rule for the final sigma (The Unicode Standard,
    /// section 3.13, R2 and table 3-17), independent of the locale.
    var lowercased: [Unicode.Scalar] {
        let input = map(\.value)
        // No scalar has more than three in lower case (SpecialCasing.txt).
        var output = [UInt32](repeating: 0, count: 3 * input.count + 1)
        var count = output.count
        guard unsafe u32_tolower(input, input.count, nil, nil, &output, &count) != nil else {
            preconditionFailure("out of memory")  // like a failed allocation in Swift
        }
        return output.prefix(count).compactMap(Unicode.Scalar.init)
    }
}
