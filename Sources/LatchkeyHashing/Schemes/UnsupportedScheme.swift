public import LatchkeyAccounts

/// Schemes that are known by sight and not verified: too weak, or not hashes at all.
public enum UnsupportedScheme: String, Sendable, CaseIterable {
    /// There is no password: empty, `!`, `*`.
    case noPassword = "none"
    /// Sealed by latchkey, for one account of one store.
    case sealed
    case desCrypt = "des-crypt"
    case bsdiCrypt = "bsdi-crypt"
    case md5Crypt = "md5-crypt"
    case sunMD5 = "sun-md5"
    case sha1Crypt = "sha1-crypt"
    case nt
    /// bcrypt as a faulty program made it.
    case bcryptX = "bcrypt-2x"
    /// `{SSHA}` and the like, as LDAP has them.
    case ldap
    /// Of a scheme that is verified, but malformed.
    case malformed

    /// Nil for a text that looks like no hash.
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
