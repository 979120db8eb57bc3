import LatchkeyAccounts
import LatchkeySecrets

/// A scrypt hash (RFC 7914) in the PHC format: `$scrypt$ln=16,r=8,p=1$salt$tag`.
struct ScryptHash: StoredHash {
    private let cost: ScryptCost
    private let salt: [UInt8]
    private let tag: [UInt8]

    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1].utf8.elementsEqual("scrypt".utf8) else { return nil }
        let numbers = parts[2].split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 3, let exponent = numbers[0].value(of: "ln=")?.plainNumber,
            let blockSize = numbers[1].value(of: "r=")?.plainNumber,
            let parallelism = numbers[2].value(of: "p=")?.plainNumber,
            let cost = ScryptCost(exponent: exponent, blockSize: blockSize, parallelism: parallelism),
            let salt = UnpaddedBase64.bytes(of: parts[3].utf8), 1...64 ~= salt.count,
            let tag = UnpaddedBase64.bytes(of: parts[4].utf8), 16...64 ~= tag.count
        else { return nil }
        (self.cost, self.salt, self.tag) = (cost, salt, tag)
    }

    var scheme: String { "scrypt" }

    var traits: [HashTraits.Parameter] { cost.traits }

    var memory: Int { cost.memory }

    var milliseconds: Double { cost.milliseconds }

    func isAllowed(by caps: StoredCostCaps) -> Bool { cost.isAllowed(by: caps.imported) }

    func matches(_ password: Secret, using _: Argon2) throws(HashError) -> Bool {
        let computed = Scrypt.tag(
            byteCount: tag.count, of: password, salt: salt, cost: 1 << UInt64(cost.exponent),
            blockSize: cost.blockSize, parallelism: cost.parallelism)
        guard let computed else { throw .outOfMemory }
        return computed.withBytes { ConstantTime.areEqual($0, tag.span) } && !password.hasNUL
    }
}

/// The cost of a scrypt or yescrypt hash.
struct ScryptCost: Equatable, Sendable {
    /// The binary logarithm of N.
    let exponent: UInt32
    /// The block size r.
    let blockSize: UInt32
    /// The parallelism p.
    let parallelism: UInt32

    /// Creates a cost; nil if RFC 7914, section 6, does not allow the values.
    init?(exponent: UInt32, blockSize: UInt32, parallelism: UInt32) {
        guard 1...63 ~= exponent, blockSize >= 1, parallelism >= 1,
            UInt64(blockSize) * UInt64(parallelism) < 1 << 30
        else { return nil }
        (self.exponent, self.blockSize, self.parallelism) = (exponent, blockSize, parallelism)
    }

    /// The memory in KiB: 128 × r × N bytes.
    var memory: Int { Int(clamping: (UInt128(blockSize) << exponent) >> 3) }

    /// The work, N × r × p.
    private var work: UInt128 { (UInt128(blockSize) << exponent) * UInt128(parallelism) }

    var milliseconds: Double { Double(work) / Double(1 << 20) * 400 }

    var traits: [HashTraits.Parameter] {
        [.init("ln", Int(exponent)), .init("r", Int(blockSize)), .init("p", Int(parallelism))]
    }

    func isAllowed(by caps: ImportedCostCaps) -> Bool {
        exponent <= caps.scryptExponent && memory <= caps.scryptMemory && work <= UInt128(caps.scryptWork)
    }
}
