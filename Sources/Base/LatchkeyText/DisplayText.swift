/// The rule for text that other users see, such as display names and profile attributes.
package enum DisplayText {
    /// The reason why text must not be displayed.
    package enum Violation: Error, Equatable, Sendable {
        /// The first scalar that is invisible, controls the terminal or the text direction, or is unassigned.
        case disallowed(scalar: Unicode.Scalar)
        /// There are more than `maximum` combining marks on one base.
        case tooManyMarks(maximum: Int)
    }

    /// The maximum number of consecutive combining marks. More would overlap the lines above and below.
    package static let maximumMarkCount = 4

    /// The first reason why `text` must not be displayed; nil if it may be displayed.
    ///
    /// - Parameter allowsLineFeeds: whether the text may have several lines.
    package static func violation(in text: UTF8Span, allowsLineFeeds: Bool = false) -> Violation? {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.count)
        var iterator = text.makeUnicodeScalarIterator()
        while let scalar = iterator.next() { scalars.append(scalar) }
        var marks = 0
        for (index, scalar) in scalars.enumerated() where !(allowsLineFeeds && scalar == "\n") {
            if isUnfit(index, in: scalars) || isStray(index, in: scalars) { return .disallowed(scalar: scalar) }
            marks = scalar.isMark ? marks + 1 : 0
            if marks > maximumMarkCount { return .tooManyMarks(maximum: maximumMarkCount) }
        }
        return nil
    }

    /// Whether `scalars[index]` must not be displayed. Joiners are allowed where CONTEXTJ of RFC 5892 allows them,
    /// because Persian and Indic names need them, but not in emoji sequences.
    static func isUnfit(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[index]
        if scalar.isJoinControl { return !ContextRules.allowJoiner(index, in: scalars) }
        return isUnfit(scalar)
    }

    /// Whether `scalars[index]` is a combining grapheme joiner, or a variation selector without effect. Two
    /// identical-looking strings could differ only in such a scalar. Emoji, the ideographs of Japanese names (UTS #37)
    /// and Mongolian use selectors legitimately.
    private static func isStray(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[index]
        guard scalar.isVariationSelector else { return scalar == "\u{34F}" }
        guard index > 0 else { return true }
        let base = scalars[index - 1]
        switch scalar.value {
        case 0xFE0E, 0xFE0F:
            return !base.takesEmojiSelector(before: index + 1 < scalars.count ? scalars[index + 1] : nil)
        case 0xE0100...0xE01EF: return Script(of: base) != .han
        case 0x180B...0x180F: return Script(of: base) != .mongolian
        default: return true
        }
    }

    /// Whether a scalar must never be displayed. The two joiners are excluded.
    ///
    /// True for controls, line and paragraph separators, private use, unassigned scalars and noncharacters. Also true
    /// for default ignorables (bidi controls, zero-width spaces, tags, Hangul fillers, soft hyphen, invisible
    /// operators) and interlinear annotations. False for variation selectors and the combining grapheme joiner, which
    /// only change the appearance or sorting of their base.
    package static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.isControl }
        return scalar.isControl || scalar.isLineOrParagraphSeparator || scalar.isPrivateUse || scalar.isUnassigned
            || scalar.isNoncharacter || (0xFFF9...0xFFFB).contains(scalar.value)
            || (scalar.isDefaultIgnorable && !scalar.isVariationSelector && scalar != "\u{34F}")
    }
}
