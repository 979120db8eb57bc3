import LatchkeyAccounts
import LatchkeySecrets

/// A hash in the format of `crypt(5)`: bcrypt, sha256-crypt, sha512-crypt, scrypt, yescrypt or gost-yescrypt.
struct CryptHash: StoredHash {
    enum Scheme: Equatable, Sendable {
        /// `$2a$`, `$2b$` or `$2y$`, which differ only in how other programs handled non-ASCII bytes.
        case bcrypt(cost: Int)
        case sha256(rounds: UInt32)
        case sha512(rounds: UInt32)
        /// `$7$`.
        case scrypt(ScryptCost)
        case yescrypt(ScryptCost)
        case gostYescrypt(ScryptCost)
    }

    /// The number of password bytes that bcrypt uses.
    static let bcryptByteCount = 72

    let kind: Scheme
    private let text: String

    init?(_ text: String) {
        // The first part, before the first `$`, is empty.
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].isEmpty, let kind = Self.kind(of: parts) else { return nil }
        self.kind = kind
        self.text = text
    }

    private static func kind(of parts: [Substring]) -> Scheme? {
        switch String(parts[1]) {
        case "2a", "2b", "2y":
            // Always two digits.
            guard parts.count == 4, parts[2].utf8.count == 2, parts[2].utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                let cost = UInt32(parts[2]), 4...31 ~= cost,
                isDigest(parts[3], 53)
            else { return nil }
            return .bcrypt(cost: Int(cost))
        case "5": return shaRounds(of: parts, digest: 43).map { .sha256(rounds: $0) }
        case "6": return shaRounds(of: parts, digest: 86).map { .sha512(rounds: $0) }
        case "7":
            // One character for N, five for r, five for p, and then the salt.
            let setting = Array(parts[2].utf8)
            guard parts.count == 4, setting.count > 11, isDigest(parts[3], 43), isDigest(parts[2], setting.count),
                let cost = ScryptCost(
                    exponent: number(setting[0...0]), blockSize: number(setting[1...5]),
                    parallelism: number(setting[6...10]))
            else { return nil }
            return .scrypt(cost)
        case "y": return yescryptCost(of: parts).map { .yescrypt($0) }
        case "gy": return yescryptCost(of: parts).map { .gostYescrypt($0) }
        default: return nil
        }
    }

    /// `$6$salt$digest` or `$6$rounds=5000$salt$digest`.
    private static func shaRounds(of parts: [Substring], digest: Int) -> UInt32? {
        var rounds: UInt32? = 5000
        if parts.count == 5 { rounds = parts[2].value(of: "rounds=")?.plainNumber }
        guard parts.count <= 5, let rounds, 1000...999_999_999 ~= rounds, let salt = parts.dropLast().last,
            1...16 ~= salt.utf8.count, salt.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ":") }),
            isDigest(parts[parts.count - 1], digest)
        else { return nil }
        return rounds
    }

    /// `$y$j9T$salt$digest`: the common flavour with N and r. Other parameters are not supported.
    private static func yescryptCost(of parts: [Substring]) -> ScryptCost? {
        let setting = Array(parts[2].utf8)
        guard parts.count == 5, setting.count == 3, setting[0] == UInt8(ascii: "j"),
            isDigest(parts[2], 3), 1...86 ~= parts[3].utf8.count, isDigest(parts[3], parts[3].utf8.count),
            isDigest(parts[4], 43)
        else { return nil }
        let (exponent, blockSize) = (number(setting[1...1]) + 1, number(setting[2...2]) + 1)
        // Numbers from 48 on use a second character.
        guard exponent <= 48, blockSize <= 48 else { return nil }
        return ScryptCost(exponent: exponent, blockSize: blockSize, parallelism: 1)
    }

    private static func isDigest(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { bits(of: $0) != nil }
    }

    /// Decodes six bits per character, the least significant first.
    private static func number(_ characters: ArraySlice<UInt8>) -> UInt32 {
        characters.reversed().reduce(0) { $0 << 6 | UInt32(bits(of: $1) ?? 0) }
    }

    /// The six bits of a character of `./0-9A-Za-z`; nil for any other character.
    private static func bits(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: ".")...UInt8(ascii: "9"): character - UInt8(ascii: ".")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A") + 12
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 38
        default: nil
        }
    }

    var scheme: String {
        switch kind {
        case .bcrypt: "bcrypt"
        case .sha256: "sha256-crypt"
        case .sha512: "sha512-crypt"
        case .scrypt: "scrypt-crypt"
        case .yescrypt: "yescrypt"
        case .gostYescrypt: "gost-yescrypt"
        }
    }

    var traits: [HashTraits.Parameter] {
        switch kind {
        case .bcrypt(let cost): [.init("cost", cost)]
        case .sha256(let rounds), .sha512(let rounds): [.init("rounds", Int(rounds))]
        case .scrypt(let cost), .yescrypt(let cost), .gostYescrypt(let cost): cost.traits
        }
    }

    var memory: Int {
        switch kind {
        case .bcrypt, .sha256, .sha512: 32
        case .scrypt(let cost), .yescrypt(let cost), .gostYescrypt(let cost): cost.memory
        }
    }

    var milliseconds: Double {
        switch kind {
        case .bcrypt(let cost): 774 * Double(1 << cost) / Double(1 << 14)
        case .sha256(let rounds): Double(rounds) / 1_000_000 * 450
        case .sha512(let rounds): Double(rounds) / 1_000_000 * 273
        case .scrypt(let cost): cost.milliseconds
        // yescrypt omits the second pass.
        case .yescrypt(let cost), .gostYescrypt(let cost): cost.milliseconds * 0.6
        }
    }

    var significantByteCount: Int? {
        if case .bcrypt = kind { Self.bcryptByteCount } else { nil }
    }

    func isAllowed(by caps: StoredCostCaps) -> Bool {
        switch kind {
        case .bcrypt(let cost): cost <= caps.imported.bcryptCost
        case .sha256(let rounds), .sha512(let rounds): rounds <= caps.imported.shaRounds
        case .scrypt(let cost): cost.isAllowed(by: caps.imported)
        case .yescrypt(let cost), .gostYescrypt(let cost):
            cost.memory <= caps.imported.yescryptMemory && cost.isAllowed(by: caps.imported)
        }
    }

    func matches(_ password: Secret, using _: Argon2) throws(HashError) -> Bool {
        guard let computed = try LibCrypt.hash(password, setting: text) else { return false }
        return computed.withBytes { ConstantTime.areEqual($0, text.utf8Span.span) }
    }
}
