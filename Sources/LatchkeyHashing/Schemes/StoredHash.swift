import LatchkeyAccounts
import LatchkeySecrets

/// A stored hash that has been read: of a scheme that is known, and well-formed to the byte.
protocol StoredHash: Sendable {
    /// By name, such as `sha512-crypt`.
    var scheme: String { get }

    var traits: [HashTraits.Parameter] { get }

    /// KiB that a verification works in.
    var memory: Int { get }

    /// What a verification costs on a core of 2024 (docs/decisions/0013-imported-hashes.md has the measurements).
    var milliseconds: Double { get }

    /// How many bytes of a password it depends on; nil for all.
    var significantByteCount: Int? { get }

    func isAllowed(by caps: StoredCostCaps) -> Bool

    /// Computes, on the thread that calls and holds for all of the time.
    func matches(_ password: Secret) throws(HashError) -> Bool
}

extension StoredHash {
    var significantByteCount: Int? { nil }

    /// ``milliseconds``, rounded up.
    var roundedMilliseconds: Int { Int(milliseconds.rounded(.up)) }
}

/// Reads stored hashes.
enum StoredHashes {
    /// The longest stored hash, in bytes: that of libxcrypt's output.
    static let maximumByteCount = 383

    /// Nil where `text` is of no scheme that is verified here, or not well-formed. DES, MD5 and what has no salt or no
    /// cost are none of them.
    static func read(_ text: String) -> (any StoredHash)? {
        guard text.utf8.count <= maximumByteCount else { return nil }
        return PHCString(text) ?? CryptHash(text) ?? PBKDF2Hash(text) ?? ScryptHash(text)
    }
}

extension Secret {
    /// HMAC, on which PBKDF2 and scrypt rest, fills a short key with zeros: to it, a password with NULs behind it is the
    /// same. To us it is not.
    var hasNUL: Bool { withBytes { bytes in bytes.indices.contains { bytes[$0] == 0 } } }
}

extension StringProtocol {
    /// A whole number in decimal digits without sign and leading zeros, up to `UInt32.max`.
    var plainNumber: UInt32? {
        // `UInt32` reads "+1" and "01" as well.
        guard let value = UInt32(self), String(value).utf8.elementsEqual(utf8) else { return nil }
        return value
    }

    /// What follows `key`, where the text begins so.
    func value(of key: String) -> SubSequence? {
        guard utf8.starts(with: key.utf8) else { return nil }
        return self[utf8.index(startIndex, offsetBy: key.utf8.count)...]
    }
}
