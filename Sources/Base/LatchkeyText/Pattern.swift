import CRE2

/// A compiled regular expression in RE2 syntax, which matches whole strings in linear time.
///
/// RE2 does not backtrack, so no pattern is slow. It supports neither backreferences nor look-around.
@safe
public final class Pattern: Sendable {
    /// The maximum length of the source in bytes of UTF-8.
    public static let maximumSourceBytes = 256
    /// The memory limit for the compiled program and RE2's cache together, in bytes.
    public static let maximumMemory = 1_048_576
    /// The maximum length of a string to match in bytes of UTF-8, four times the limit of a field. A longer string
    /// never matches.
    public static let maximumTextBytes = 4096

    /// The source of the pattern.
    public let source: String

    // Proof: the pointer is set once, freed after its last use, and only read in between. An RE2 "is safe for
    // concurrent use by multiple threads" (re2.h).
    private nonisolated(unsafe) let compiled: OpaquePointer

    /// Compiles `source`. An empty pattern matches the empty string.
    public convenience init(_ source: String) throws(Refusal) {
        try self.init(source, suffix: "")
    }

    /// Compiles a pattern for any number of scalars of one class, including zero.
    ///
    /// - Parameter characterClass: one class with its brackets, such as `[\p{Greek}0-9]`. Escape brackets inside it,
    ///   except in classes such as `[:alpha:]`.
    public convenience init(everyScalarIn characterClass: String) throws(Refusal) {
        try self.init(characterClass, suffix: "*")
        guard Self.isOneClass(characterClass) else { throw .notOneClass }
    }

    /// - Parameter suffix: a suffix that does not count towards the limit.
    private init(_ source: String, suffix: String) throws(Refusal) {
        guard source.utf8.count <= Self.maximumSourceBytes else { throw .tooLong }
        var error: Int32 = 0
        let bytes = Array((source + suffix).utf8)
        let compiled = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe latchkey_pattern_compile(bytes.baseAddress, bytes.count, Int64(Self.maximumMemory), &error)
        }
        guard let compiled = unsafe compiled else {
            throw Mistake(rawValue: error).map(Refusal.malformed) ?? .tooLarge
        }
        self.source = source
        unsafe self.compiled = compiled
    }

    deinit { unsafe latchkey_pattern_free(compiled) }

    /// Whether the pattern matches all of `text`. It does not copy the text, so it is safe for secrets.
    public func matchesWhole(_ text: UTF8Span) -> Bool {
        guard text.count <= Self.maximumTextBytes else { return false }
        return unsafe text.span.withUnsafeBufferPointer { bytes in
            unsafe latchkey_pattern_matches(compiled, bytes.baseAddress, bytes.count)
        }
    }

    /// Whether a source that compiles is a single class, from its first to its last bracket.
    private static func isOneClass(_ source: String) -> Bool {
        var rest = Array(source.utf8)[...]
        guard rest.popFirst() == UInt8(ascii: "[") else { return false }
        var previous: UInt8?
        while let byte = rest.popFirst() {
            defer { previous = byte }
            switch byte {
            case UInt8(ascii: "\\"): _ = rest.popFirst()
            case UInt8(ascii: "]"): return rest.isEmpty
            case UInt8(ascii: "["):
                // RE2 reads `[:` without `:]` as a bracket and a colon, and a bracket at the end of a range as a
                // literal bracket.
                guard previous != UInt8(ascii: "-"), rest.popFirst() == UInt8(ascii: ":"),
                    let end = rest.firstIndex(of: UInt8(ascii: "]")),
                    end > rest.startIndex, rest[end - 1] == UInt8(ascii: ":")
                else { return false }
                rest = rest[(end + 1)...]
            default: break
            }
        }
        return false
    }
}

extension Pattern {
    /// The reason why a pattern is refused.
    public enum Refusal: Error, Equatable, Sendable {
        /// The source is longer than ``Pattern/maximumSourceBytes``.
        case tooLong
        /// The source is not a valid pattern.
        case malformed(Mistake)
        /// The compiled pattern needs more than ``Pattern/maximumMemory``.
        case tooLarge
        /// The source is not a single character class in brackets, as the caller requires.
        case notOneClass
    }

    /// The mistake in a pattern. The raw values are those of `RE2::ErrorCode`.
    public enum Mistake: Int32, Sendable, CaseIterable {
        /// RE2 failed for a reason other than the pattern.
        case `internal` = 1
        /// An escape that does not exist.
        case badEscape
        /// A class that does not exist.
        case badCharacterClass
        /// A range that ends before it begins.
        case badCharacterRange
        /// A class without its end.
        case missingBracket
        /// A group without its end.
        case missingParenthesis
        /// The end of no group.
        case unexpectedParenthesis
        /// An escape at the end.
        case trailingBackslash
        /// A repetition such as `*` follows nothing.
        case repeatArgument
        /// A count exceeds 1000, or the minimum of a range exceeds its maximum.
        case repeatSize
        /// A meaningless sequence of `*`, `+` and `?`.
        case repeatOperator
        /// `(?` with a feature that RE2 does not support, such as look-around.
        case badPerlOperator
        /// Bytes that are not UTF-8.
        case badUTF8
        /// A group with an invalid name.
        case badNamedCapture

        /// The stable code in snake case.
        public var code: String {
            switch self {
            case .internal: "internal"
            case .badEscape: "bad_escape"
            case .badCharacterClass: "bad_character_class"
            case .badCharacterRange: "bad_character_range"
            case .missingBracket: "missing_bracket"
            case .missingParenthesis: "missing_parenthesis"
            case .unexpectedParenthesis: "unexpected_parenthesis"
            case .trailingBackslash: "trailing_backslash"
            case .repeatArgument: "repeat_argument"
            case .repeatSize: "repeat_size"
            case .repeatOperator: "repeat_operator"
            case .badPerlOperator: "bad_perl_operator"
            case .badUTF8: "bad_utf8"
            case .badNamedCapture: "bad_named_capture"
            }
        }
    }
}
