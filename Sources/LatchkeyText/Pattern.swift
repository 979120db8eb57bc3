import CRE2

/// A regular expression in RE2's syntax, compiled, that judges whole texts in time linear in their length.
///
/// Without backtracking no pattern makes a text expensive; in exchange there are no backreferences or look-around.
@safe
public final class Pattern: Sendable {
    /// Of the source, in bytes of UTF-8.
    public static let maximumSourceBytes = 256
    /// Of the compiled program together with what RE2 keeps while it matches, in bytes.
    public static let maximumMemory = 1_048_576
    /// Of a text, in bytes of UTF-8. None longer matches, whatever the pattern: four times what a field takes.
    public static let maximumTextBytes = 4096

    /// As it was given.
    public let source: String

    // Proof: it is set once, freed after the last use, and only read in between; an RE2 "is safe for concurrent use by
    // multiple threads" (re2.h).
    private nonisolated(unsafe) let compiled: OpaquePointer

    /// Compiles `source`; the empty one matches the empty text.
    public convenience init(_ source: String) throws(Refusal) {
        try self.init(source, suffix: "")
    }

    /// A pattern for any number of scalars, none included, each of them in `characterClass`.
    ///
    /// - Parameter characterClass: one class with its brackets, such as `[\p{Greek}0-9]`. A bracket within it has to be
    ///   escaped, unless it is one of `[:alpha:]` and its like.
    public convenience init(everyScalarIn characterClass: String) throws(Refusal) {
        try self.init(characterClass, suffix: "*")
        guard Self.isOneClass(characterClass) else { throw .notOneClass }
    }

    /// - Parameter suffix: not counted in the limit.
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

    /// Whether the pattern matches `text` from its first byte to its last. Makes no copy of it: fit for secrets.
    public func matchesWhole(_ text: UTF8Span) -> Bool {
        guard text.count <= Self.maximumTextBytes else { return false }
        return unsafe text.span.withUnsafeBufferPointer { bytes in
            unsafe latchkey_pattern_matches(compiled, bytes.baseAddress, bytes.count)
        }
    }

    /// Whether a source that compiles is a class from its first bracket to its last.
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
                // To RE2 a name that does not end with `:]` is none, and its bracket a letter, as it is at a range's end.
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
    /// Why a source is no pattern.
    public enum Refusal: Error, Equatable, Sendable {
        /// More than ``Pattern/maximumSourceBytes``.
        case tooLong
        /// RE2 cannot read it.
        case malformed(Mistake)
        /// It compiles to more than ``Pattern/maximumMemory``.
        case tooLarge
        /// It is something other than one character class in brackets, where that is asked for.
        case notOneClass
    }

    /// What RE2 says is wrong, by the numbers of its `RE2::ErrorCode`.
    public enum Mistake: Int32, Sendable, CaseIterable {
        /// RE2 failed, and the pattern is not to blame.
        case `internal` = 1
        case badEscape, badCharacterClass, badCharacterRange, missingBracket, missingParenthesis
        case unexpectedParenthesis, trailingBackslash
        /// `*` and its like with nothing before it.
        case repeatArgument
        /// A count over 1000, or of which the greatest comes first.
        case repeatSize
        /// Two of `*`, `+` and `?` in a row that mean nothing.
        case repeatOperator
        /// `(?` with something after it that RE2 does not have, such as look-around.
        case badPerlOperator
        case badUTF8, badNamedCapture

        /// In snake case, for ever the same.
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
