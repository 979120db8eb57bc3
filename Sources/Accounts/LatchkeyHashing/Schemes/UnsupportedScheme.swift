package import LatchkeyAccounts

/// Schemes that Latchkey recognizes but does not verify, because they are too weak or are not hashes.
package enum UnsupportedScheme: String, Sendable, CaseIterable {
    /// No password: empty, or beginning with `!` or `*`.
    case noPassword = "none"
    /// A hash that Latchkey has sealed for one account of one store.
    case sealed
    case desCrypt = "des-crypt"
    case bsdiCrypt = "bsdi-crypt"
    case md5Crypt = "md5-crypt"
    case sunMD5 = "sun-md5"
    case sha1Crypt = "sha1-crypt"
    case nt
    /// A bcrypt hash from a program with a known bug.
    case bcryptX = "bcrypt-2x"
    /// LDAP's `{SSHA}` and similar.
    case ldap
    /// Argon2 before version 1.3. A hash without a version is version 1.0.
    case argon2Version10 = "argon2-1.0"
    /// A well-formed hash of any other scheme, such as passlib's `$bcrypt-sha256$` or PBKDF2 with SHA-1.
    case other
    /// A malformed hash of a supported scheme.
    case malformed

    /// Identifies the scheme; nil if the string does not look like a hash.
    package init?(of hash: PasswordHash) {
        let text = hash.phc
        let prefixes: [(String, UnsupportedScheme)] = [
            ("!", .noPassword), ("*", .noPassword), ("$sealed$", .sealed), ("$1$", .md5Crypt), ("$3$", .nt),
            ("$md5", .sunMD5),
            ("$sha1$", .sha1Crypt), ("$2x$", .bcryptX), ("{", .ldap), ("_", .bsdiCrypt), ("$2", .malformed),
            ("$5$", .malformed), ("$6$", .malformed), ("$7$", .malformed), ("$y$", .malformed), ("$gy$", .malformed),
            ("$argon2", .malformed), ("$scrypt$", .malformed), ("$pbkdf2", .malformed), ("pbkdf2_", .malformed),
        ]
        let alphabet = Set("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        if text.isEmpty {
            self = .noPassword
        } else if Self.isArgon2Version10(text) {
            self = .argon2Version10
        } else if Self.isPBKDF2WithOtherDigest(text) {
            self = .other
        } else if let found = prefixes.first(where: { text.utf8.starts(with: $0.0.utf8) }) {
            self = found.1
        } else if text.utf8.count == 13, text.utf8.allSatisfy(alphabet.contains) {
            self = .desCrypt
        } else if Self.isModularHash(text) {
            self = .other
        } else {
            return nil
        }
    }

    /// Whether the text is a valid Argon2 hash except for its version.
    private static func isArgon2Version10(_ text: String) -> Bool {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[0].isEmpty, parts[1].hasPrefix("argon2"), parts[2] != "v=19" else { return false }
        let rest = parts.dropFirst(parts[2] == "v=16" ? 3 : 2)
        return PHCString((["", String(parts[1]), "v=19"] + rest.map(String.init)).joined(separator: "$")) != nil
    }

    /// Whether the string is a valid PBKDF2 hash except for its digest: Django's `pbkdf2_sha1$`, `$pbkdf2-sha1$`, or
    /// passlib's `$pbkdf2$`, which means SHA-1.
    private static func isPBKDF2WithOtherDigest(_ text: String) -> Bool {
        var parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        let place = parts[0].isEmpty && parts.count > 1 ? 1 : 0
        let prefix = place == 0 ? "pbkdf2_" : "pbkdf2-"
        let isPasslibsSHA1 = place == 1 && parts[place] == "pbkdf2"
        guard isPasslibsSHA1 || parts[place].hasPrefix(prefix) else { return false }
        let digest = parts[place].utf8.dropFirst(prefix.utf8.count)
        guard digest.allSatisfy({ 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }), !digest.elementsEqual("sha256".utf8),
            place == 0 || !digest.elementsEqual("sha512".utf8)
        else { return false }
        parts[place] = prefix + "sha256"
        return PBKDF2Hash(parts.joined(separator: "$")) != nil
    }

    /// Whether the string consists of a name, optional parameters, a salt and a digest, separated by dollar signs. The
    /// PHC string format and the older modular crypt format both have this structure.
    private static func isModularHash(_ text: String) -> Bool {
        guard text.utf8.count <= StoredHashes.maximumByteCount, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            return false
        }
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].isEmpty, parts.dropFirst().allSatisfy({ !$0.isEmpty }) else { return false }
        let nameBytes = Set("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
        guard parts[1].utf8.count <= 32, parts[1].utf8.allSatisfy(nameBytes.contains) else { return false }
        // A salt comes before the digest, not only parameters. Base64 may end with `=`.
        let equals = UInt8(ascii: "=")
        return parts[2..<(parts.count - 1)].contains { part in
            !part.utf8.contains(equals) || part.utf8.last == equals
        }
    }
}
