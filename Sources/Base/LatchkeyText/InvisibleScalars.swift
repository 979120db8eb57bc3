import CUnistring

/// Finds invisible scalars in a password. The owner cannot see them in pasted text and cannot type them again.
///
/// It reads the password in place, because a copy on the heap would not be erased.
enum InvisibleScalars {
    /// Whether `value` contains a default ignorable scalar (zero-width space, soft hyphen, bidi control, stray
    /// variation selector) at a position where it has no meaning. Joiners and selectors in emoji, joiners that CONTEXTJ
    /// allows and fillers in old Hangul do have a meaning.
    static func arePresent(in value: UTF8Span) -> Bool {
        var scalars = value.makeUnicodeScalarIterator()
        var before = Before()
        while let scalar = scalars.next() {
            if scalar.isDefaultIgnorable {
                var rest = scalars
                let after = rest.next()
                var joined = after
                while let next = joined, next.joiningType == Int(UC_JOINING_TYPE_T) { joined = rest.next() }
                if !before.givesMeaning(to: scalar, after: after, joiningAfter: joined?.joiningType) { return true }
            }
            before.append(scalar)
        }
        return false
    }

    /// The state after the scalars read so far.
    private struct Before {
        private var last: Unicode.Scalar?
        /// The joining type of the last non-transparent scalar; nil if there is none.
        private var joining: Int?
        /// Whether an emoji ends here, with or without a skin tone and a variation selector.
        private var endsInEmoji = false
        /// Whether a subdivision flag ends here: a black flag followed by tags.
        private var endsInTaggedFlag = false

        mutating func append(_ scalar: Unicode.Scalar) {
            if scalar.joiningType != Int(UC_JOINING_TYPE_T) { joining = scalar.joiningType }
            if scalar != "\u{FE0F}", !(0x1F3FB...0x1F3FF).contains(scalar.value) { endsInEmoji = scalar.isPictograph }
            endsInTaggedFlag = scalar == "\u{1F3F4}" || (endsInTaggedFlag && Self.isTag(scalar))
            last = scalar
        }

        func givesMeaning(to scalar: Unicode.Scalar, after: Unicode.Scalar?, joiningAfter: Int?) -> Bool {
            guard let last else { return scalar == "\u{115F}" && Self.isJamo(after) }
            if scalar.isJoinControl {
                if scalar == "\u{200D}", endsInEmoji, after?.isPictograph == true { return true }
                return ContextRules.allowJoiner(
                    scalar, after: last, joiningBefore: joining, joiningAfter: joiningAfter)
            }
            switch scalar {
            case "\u{FE0E}", "\u{FE0F}": return last.takesEmojiSelector(before: after)
            case "\u{115F}": return Self.isJamo(after)
            case "\u{1160}": return Self.isJamo(last)
            default: return endsInTaggedFlag && Self.isTag(scalar)
            }
        }

        private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0020...0xE007F).contains(scalar.value) }

        private static func isJamo(_ scalar: Unicode.Scalar?) -> Bool {
            scalar.map { $0.isOldHangulJamo && !$0.isDefaultIgnorable } ?? false
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar can be joined in an emoji sequence with U+200D (UTS #51).
    var isPictograph: Bool { uc_is_property_extended_pictographic(value) }

    /// Whether U+FE0E or U+FE0F after this scalar selects its presentation. This is the case after an emoji, but after
    /// a digit, `#` or `*` only within a keycap (UTS #51).
    func takesEmojiSelector(before after: Unicode.Scalar?) -> Bool {
        uc_is_property_emoji(value) && (!isASCII || after == "\u{20E3}")
    }
}
