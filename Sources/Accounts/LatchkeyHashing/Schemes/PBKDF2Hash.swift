import LatchkeyAccounts
import LatchkeySecrets

/// A PBKDF2 hash in one of three formats: Django's `pbkdf2_sha256$870000$salt$tag`, PHC's
/// `$pbkdf2-sha256$i=600000,l=32$salt$tag`, or passlib's `$pbkdf2-sha256$29000$salt$tag`.
struct PBKDF2Hash: StoredHash {
    let digest: PBKDF2.Digest
    let iterations: UInt32
    private let salt: [UInt8]
    private let tag: [UInt8]
    private let isDjangos: Bool

    init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        if parts.count == 4, let digest = parts[0].value(of: "pbkdf2_").flatMap({ PBKDF2.Digest(rawValue: String($0)) })
        {
            self.init(django: parts, digest)
        } else if parts.count == 5, parts[0].isEmpty,
            let digest = parts[1].value(of: "pbkdf2-").flatMap({ PBKDF2.Digest(rawValue: String($0)) })
        {
            self.init(phc: parts, digest)
        } else {
            return nil
        }
        guard iterations > 0, 1...128 ~= salt.count, 16...64 ~= tag.count else { return nil }
    }

    /// The salt is plain text, and the tag is in base64 with padding.
    private init?(django parts: [Substring], _ digest: PBKDF2.Digest) {
        let padding = parts[3].utf8.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard digest == .sha256, let iterations = parts[1].plainNumber, parts[3].utf8.count % 4 == 0, padding <= 2,
            parts[2].utf8.allSatisfy({ 0x21...0x7E ~= $0 }),
            let tag = UnpaddedBase64.bytes(of: parts[3].utf8.dropLast(padding))
        else { return nil }
        (self.digest, self.iterations, self.tag) = (digest, iterations, tag)
        salt = Array(parts[2].utf8)
        isDjangos = true
    }

    private init?(phc parts: [Substring], _ digest: PBKDF2.Digest) {
        let isPasslibs = parts[2].value(of: "i=") == nil
        // passlib writes a dot instead of base64's plus sign.
        func bytes(_ text: Substring) -> [UInt8]? {
            guard isPasslibs else { return UnpaddedBase64.bytes(of: text.utf8) }
            guard !text.utf8.contains(UInt8(ascii: "+")) else { return nil }
            return UnpaddedBase64.bytes(of: text.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "+") : $0 })
        }
        let parameters = parts[2].split(separator: ",", omittingEmptySubsequences: false)
        let rounds = isPasslibs ? parts[2].plainNumber : parameters[0].value(of: "i=")?.plainNumber
        guard let rounds, let salt = bytes(parts[3]), let tag = bytes(parts[4]), parameters.count <= 2 else {
            return nil
        }
        if parameters.count == 2 {
            guard let length = parameters[1].value(of: "l=")?.plainNumber, length == tag.count else { return nil }
        }
        (self.digest, iterations, self.salt, self.tag) = (digest, rounds, salt, tag)
        isDjangos = false
    }

    var scheme: String { (isDjangos ? "django-pbkdf2-" : "pbkdf2-") + digest.rawValue }

    var traits: [HashTraits.Parameter] { [.init("iterations", Int(iterations))] }

    var memory: Int { 16 }

    var milliseconds: Double { Double(work) / 2000 }

    /// Each PBKDF2 pass produces as many bytes as the digest has.
    private var work: UInt64 {
        UInt64(iterations) * UInt64((tag.count + digest.byteCount - 1) / digest.byteCount)
    }

    func isAllowed(by caps: StoredCostCaps) -> Bool { work <= UInt64(caps.imported.pbkdf2Iterations) }

    func matches(_ password: Secret, using _: Argon2) throws(HashError) -> Bool {
        let computed = PBKDF2.tag(
            byteCount: tag.count, of: password, salt: salt, iterations: iterations, digest: digest)
        return computed.withBytes { ConstantTime.areEqual($0, tag.span) } && !password.hasNUL
    }
}
