import TestSupport

/// Derives inputs from the seeds, the same ones for the same random seed.
struct FuzzMutator {
    private let seeds: [[UInt8]]
    private let maximumBytes: Int
    private var random: SeededGenerator

    init(seeds: [[UInt8]], maximumBytes: Int, seed: UInt64) {
        self.seeds = seeds
        self.maximumBytes = maximumBytes
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> [UInt8] {
        var bytes = seeds.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes) }
        return Array(bytes.prefix(maximumBytes))
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = Int.random(in: place...min(bytes.count, place + 16), using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4:
            // Combines the start of one seed with the end of another.
            let other = seeds.randomElement(using: &random) ?? []
            bytes.replaceSubrange(place..., with: other.dropFirst(Int.random(in: 0...other.count, using: &random)))
        case 5: bytes.removeSubrange(place...)
        case 6:
            let repeated = Array(bytes[place..<end])
            for _ in 0..<Int.random(in: 1...64, using: &random) { bytes.insert(contentsOf: repeated, at: place) }
        default: bytes.insert(contentsOf: Self.tokens.randomElement(using: &random) ?? [], at: place)
        }
    }

    /// Inputs that have broken parsers in the past.
    private static let tokens: [[UInt8]] =
        [
            "", "\0", "\n", "\r\n", "\u{1B}[", "\u{1B}[200~", "\u{1B}[201~", "\u{9B}", "$", "=", "--", "\"", "\\u0000",
            "\\ud800", "{", "}", "[[[[[[[[", "-1", "0", "4294967295", "4294967296", "9223372036854775807",
            "9223372036854775808", "1e999", "null", "true", "(a+)+", "{1,1000}", "\\p{L}", "[^\\x{0}-\\x{10FFFF}]",
            "\u{202E}", "\u{200D}", "\u{FEFF}", "\u{301}\u{301}\u{301}", "\u{E0041}", "\u{1F468}\u{200D}\u{1F469}",
            "\u{212A}", "\u{130}", "\u{FB01}", "xn--", "@", "%s%n", "';--", "\u{FFFF}",
        ].map { Array($0.utf8) } + [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80], [0, 0, 0, 0],
            [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0],
        ]
}
