/// What a text that others will see may hold: display names, profile attributes.
public enum DisplayText {
    /// Why a text is not fit to be shown.
    public enum Violation: Error, Equatable, Sendable {
        /// The first scalar that is invisible, steers the terminal or its direction, or has no agreed meaning.
        case disallowed(scalar: Unicode.Scalar)
        /// More than `maximum` combining marks on one base.
        case tooManyMarks(maximum: Int)
    }

    /// The most combining marks in a row: more reach into the lines above and below.
    public static let maximumMarkCount = 4

    /// Why `text` is not fit to be shown, or nil. The first thing that is refused decides.
    public static func violation(in text: UTF8Span) -> Violation? {
        var scalars: [Unicode.Scalar] = []
        scalars.reserveCapacity(text.count)
        var iterator = text.makeUnicodeScalarIterator()
        while let scalar = iterator.next() { scalars.append(scalar) }
        var marks = 0
        for (index, scalar) in scalars.enumerated() {
            if isUnfit(index, in: scalars) { return .disallowed(scalar: scalar) }
            marks = scalar.isMark ? marks + 1 : 0
            if marks > maximumMarkCount { return .tooManyMarks(maximum: maximumMarkCount) }
        }
        return nil
    }

    /// Whether `scalars[index]` must not be shown as it is. The joiners may be where RFC 5892's CONTEXTJ lets them stand,
    /// as Persian and Indic names need; an emoji sequence does not count as such a place.
    static func isUnfit(_ index: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let scalar = scalars[index]
        if scalar.isJoinControl { return !ContextRules.allowJoiner(index, in: scalars) }
        return isUnfit(scalar)
    }

    /// Whether a scalar other than the two joiners must never be shown as it is.
    ///
    /// Controls, line and paragraph separators, private use, unassigned and noncharacters; and what is ignorable by
    /// default (bidi controls, zero-width spaces, tags, blank Hangul fillers, soft hyphen, invisible operators) but for
    /// variation selectors and the combining grapheme joiner, which change only how their base looks or sorts. The
    /// interlinear annotations are ignorable in all but name.
    package static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.isControl }
        return scalar.isControl || scalar.isLineOrParagraphSeparator || scalar.isPrivateUse || scalar.isUnassigned
            || scalar.isNoncharacter || (0xFFF9...0xFFFB).contains(scalar.value)
            || (scalar.isDefaultIgnorable && !scalar.isVariationSelector && scalar != "\u{34F}")
    }
}
