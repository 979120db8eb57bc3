import CZxcvbn
import Glibc

/// How hard a password is to guess for somebody who tries what people choose first: an estimate, by libzxcvbn, and no
/// promise. What it knows are English words and names, common passwords, keyboards, sequences, repeats and dates.
public struct PasswordStrength: Equatable, Sendable {
    /// The binary logarithm of the guesses that it stands; 0 and more.
    public let bits: Double

    /// What would help most; nil where the score is as high as it gets.
    public let advice: Advice?

    /// What somebody could do.
    public enum Advice: String, Sendable, CaseIterable {
        case addWords = "add_words"
        case avoidCommonWords = "avoid_common_words"
        case avoidRepeats = "avoid_repeats"
        case avoidSequences = "avoid_sequences"
        case avoidKeyboardRows = "avoid_keyboard_rows"
        case avoidDates = "avoid_dates"
    }

    /// 0 to 4, by zxcvbn's own thresholds (D. L. Wheeler, "zxcvbn: Low-Budget Password Strength Estimation", USENIX
    /// Security 2016): fewer than 10³, 10⁶, 10⁸ and 10¹⁰ guesses.
    public var score: Int { Self.score(ofBits: bits) }

    init(bits: Double, advice: Advice?) {
        self.bits = bits
        self.advice = advice
    }

    /// The lowest estimate with that score.
    ///
    /// - Parameter score: 0 to 4; what lies outside is the nearest of them.
    public init(score: Int, advice: Advice?) {
        self.init(bits: log2(([1] + Self.thresholds)[min(max(score, 0), 4)]), advice: advice)
    }

    /// Of so many characters at most is anything said; a longer password is as strong as they are. Time grows with the
    /// square of their number, and the library itself looks no further.
    private static let maximumScalars = 100

    /// Estimates a password; in a few milliseconds, however long it is.
    ///
    /// The copy that the library needs is wiped. What it takes for itself while it works, the password backwards among
    /// it, it does not wipe, nor can a caller.
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

    /// The library reads bytes up to a NUL. A character of another script is one that it has no words of, so that what is
    /// left of it is whether it is repeated, or follows the one before.
    private static func byte(standingFor scalar: Unicode.Scalar) -> UInt8 {
        guard scalar.isASCII else { return UInt8(truncatingIfNeeded: scalar.value) | 0x80 }
        return max(1, UInt8(truncatingIfNeeded: scalar.value))
    }

    /// In guesses.
    private static let thresholds = [1e3, 1e6, 1e8, 1e10]

    private static func score(ofBits bits: Double) -> Int { thresholds.count { bits >= log2($0) } }

    /// What is told about the parts that have lost most by being what they are, and not as many random small letters.
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

extension PasswordStrength.Advice {
    /// Nil for what is nothing in particular.
    fileprivate init?(against type: ZxcTypeMatch_t) {
        // Of a part that is there several times, the type says both.
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
