import TestSupport

extension SeededGenerator {
    /// A string of 0 to `most` scalars, mainly from scripts in which mapping, marks and direction matter.
    mutating func text(upTo most: Int) -> String {
        let pools: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xC0...0x24F, 0x300...0x36F, 0x370...0x3FF, 0x400...0x4FF, 0x531...0x58F, 0x591...0x5F4,
            0x600...0x6FF, 0x900...0x97F, 0x1100...0x11FF, 0x13A0...0x13FF, 0x1E00...0x1FFF, 0x2000...0x206F,
            0x2100...0x218F, 0x3040...0x30FF, 0xAC00...0xAC80, 0xFE00...0xFE0F, 0xFF00...0xFFEF,
            0x10400...0x1044F, 0x1D150...0x1D170, 0x1F1E6...0x1F1FF, 0x1F3F0...0x1F480, 0...0x10FFFF,
        ]
        var scalars = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...most, using: &self) {
            let pool = pools[Int.random(in: 0..<pools.count, using: &self)]
            if let scalar = Unicode.Scalar(UInt32.random(in: pool, using: &self)) { scalars.append(scalar) }
        }
        return String(scalars)
    }
}

extension String {
    /// All ASCII strings of up to two characters, longer ones around the limit of 64, and random ones.
    static var asciiSamples: [String] {
        let signs = (UInt8(0)...0x7F).map { String(UnicodeScalar($0)) }
        var generator = SeededGenerator(seed: 7)
        let random = (0..<2_000).map { _ in
            (0..<Int.random(in: 3...70, using: &generator)).map { _ in
                // Mostly printable characters, because otherwise almost every string would contain a control.
                signs[
                    Int.random(in: 0..<30, using: &generator) == 0
                        ? Int.random(in: 0...0x7F, using: &generator)
                        : Int.random(in: 0x21...0x7E, using: &generator)]
            }.joined()
        }
        return [""] + signs + signs.flatMap { first in signs.map { first + $0 } }
            + [63, 64, 65].map { String(repeating: "A", count: $0) } + random
    }

    /// The bytes to compare, because `==` on strings treats canonical equivalents as equal.
    var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8] {
    /// - Parameter hexadecimal: pairs of digits, for bytes that are not UTF-8.
    init(hexadecimal: String) {
        let digits = [Character](hexadecimal)
        self = stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}

extension Unicode.Scalar {
    /// Every scalar except the inside of uniform ranges: ideographs, syllables, private use, empty planes.
    static var telling: [Unicode.Scalar] {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x3410, 0x4DB0...0x4E10, 0x9FF0...0xAC80, 0xD790...0xE010, 0xF8F0...0x12010, 0x16A00...0x17010,
            0x1AFF0...0x1BCB0, 0x1CF00...0x20010, 0x2F7F0...0x2FA30, 0xDFFF0...0xE1000, 0xEFFF0...0xF0010,
            0xFFFF0...0x100010, 0x10FFF0...0x10FFFF,
        ]
        return ranges.joined().compactMap(Unicode.Scalar.init)
    }

    /// The notation of the tables: `U+0020`.
    var notation: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
