public import LatchkeyAccounts

/// Schemes that Latchkey recognizes but does not verify, because they are too weak or are not hashes.
public enum UnsupportedScheme: String, Sendable, CaseIterable {
    /// No password: empty, `!`, `*`.
    case noPassword = "none"
    /// Sealed by Latchkey for one account of one store.
    case sealed
    case desCrypt = "des-crypt"
    case bsdiCrypt = "bsdi-crypt"
    case md5Crypt = "md5-crypt"
    case sunMD5 = "sun-md5"
    case sha1Crypt = "sha1-crypt"
    case nt
    /// bcrypt as a faulty program wrote it.
    case bcryptX = "bcrypt-2x"
    /// LDAP's `{SSHA}` and similar.
    case ldap
    /// Of a supported scheme, but malformed.
    case malformed

    /// Nil if the text does not look like a hash.
    public init?(of hash: PasswordHash) {
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
        } else if let found = prefixes.first(where: { text.utf8.starts(with: $0.0.utf8) }) {
            self = found.1
        } else if text.utf8.count == 13, text.utf8.allSatisfy(alphabet.contains) {
            self = .desCrypt
        } else {
            return nil
        }
    }
}
