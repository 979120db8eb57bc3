import CZxcvbn
import Glibc

/// An estimate by libzxcvbn of the number of guesses that an attacker needs who tries common choices first. The library
/// knows English words and names, common passwords, keyboard rows, sequences, repetitions and dates.
public struct PasswordStrength: Equatable, Sendable {
    /// The binary logarithm of the number of guesses; at least 0.
    public let bits: Double

    /// The change that would help most; nil if the score is already 4.
    public let advice: Advice?

    /// A suggestion for making a password stronger.
    public enum Advice: String, Sendable, CaseIterable {
        case addWords = "add_words"
        case avoidCommonWords = "avoid_common_words"
        case avoidRepeats = "avoid_repeats"
        case avoidSequences = "avoid_sequences"
        case avoidKeyboardRows = "avoid_keyboard_rows"
        case avoidDates = "avoid_dates"
    }

    /// The score from 0 to 4, with the thresholds of zxcvbn: 10³, 10⁶, 10⁸ and 10¹⁰ guesses (D. L. Wheeler, "zxcvbn:
    /// Low-Budget Password Strength Estimation", USENIX Security 2016).
    public var score: Int { Self.score(ofBits: bits) }

    /// The number of characters to estimate; the rest of a longer password is ignored. The time grows with the square
    /// of the length, and the library has the same limit.
    private static let maximumScalars = 100

    /// Estimates a password. It takes a few milliseconds, whatever the length.
    ///
    /// Latchkey's copy of the password for the library is erased. The library's internal copies, such as the reversed
    /// password, cannot be erased by a caller.
    public static func estimate(_ password: UTF8Span) -> PasswordStrength {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: maximumScalars + 1) { copy in
            defer { if let start = copy.baseAddress { unsafe explicit_bzero(start, copy.count) } }
            var count = 0
            var scalars = password.makeUnicodeScalarIterator()
            while count < maximumScalars, let scalar = scalars.next() {
                unsafe copy[count] = CChar(bitPattern: byte(standingFor: scalar))
                count += 1
            }
            unsafe copy[count] = 0
            var parts: UnsafeMutablePointer<ZxcMatch_t>?
            let bits = unsafe ZxcvbnMatch(copy.baseAddress, nil, &parts)
            defer { unsafe ZxcvbnFreeInfo(parts) }
            let advice = unsafe score(ofBits: bits) < 4 ? PasswordStrength.advice(against: parts) : nil
            return PasswordStrength(bits: max(0, bits), advice: advice)
        }
    }

    /// The byte that represents a scalar for the library, never NUL. The library knows no words in other scripts. Only
    /// repetitions and sequences matter for these, so one byte is sufficient.
    private static func byte(standingFor scalar: Unicode.Scalar) -> UInt8 {
        guard scalar.isASCII else { return UInt8(truncatingIfNeeded: scalar.value) | 0x80 }
        return max(1, UInt8(truncatingIfNeeded: scalar.value))
    }

    /// The minimum numbers of guesses for the scores 1 to 4.
    private static let thresholds = [1e3, 1e6, 1e8, 1e10]

    private static func score(ofBits bits: Double) -> Int { thresholds.count { bits >= log2($0) } }

    /// The advice for the kind of part that weakens the password most, compared with as many random lower-case letters.
    private static func advice(against parts: UnsafeMutablePointer<ZxcMatch_t>?) -> Advice {
        var losses: [Advice: Double] = [:]
        var next = unsafe parts
        while let part = unsafe next {
            if let advice = unsafe Advice(against: part.pointee.Type) {
                losses[advice, default: 0] += unsafe Double(part.pointee.Length) * log2(26) - part.pointee.MltEnpy
            }
            unsafe next = part.pointee.Next
        }
        let worst = losses.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
        return worst.flatMap { $0.value > 0 ? $0.key : nil } ?? .addWords
    }
}

extension PasswordStrength {
    /// Creates the lowest estimate with the given score.
    ///
    /// - Parameters:
    ///   - score: 0 to 4; other values are clamped.
    ///   - advice: how to make the password stronger; nil for none.
    public init(score: Int, advice: Advice?) {
        self.init(bits: log2(([1] + Self.thresholds)[min(max(score, 0), 4)]), advice: advice)
    }
}

extension PasswordStrength.Advice {
    /// The advice for one kind of match; nil if there is none.
    fileprivate init?(against type: ZxcTypeMatch_t) {
        // The type of a repeated part contains both flags.
        if type.rawValue & MULTIPLE_MATCH.rawValue != 0 {
            self = .avoidRepeats
            return
        }
        switch type {
        case DICTIONARY_MATCH, DICT_LEET_MATCH, USER_MATCH, USER_LEET_MATCH: self = .avoidCommonWords
        case REPEATS_MATCH: self = .avoidRepeats
        case SEQUENCE_MATCH: self = .avoidSequences
        case SPATIAL_MATCH: self = .avoidKeyboardRows
        case DATE_MATCH, YEAR_MATCH: self = .avoidDates
        default: return nil
        }
    }
}
