import LatchkeyAccounts
import LatchkeySecrets

/// A parsed hash of a known scheme.
protocol StoredHash: Sendable {
    /// The name of the scheme, such as `sha512-crypt`.
    var scheme: String { get }

    /// The parameters in the scheme's usual order.
    var traits: [HashTraits.Parameter] { get }

    /// The memory of a verification in KiB.
    var memory: Int { get }

    /// The estimated milliseconds of a verification on a core of 2024. docs/decisions/0013-imported-hashes.md contains
    /// the measurements.
    var milliseconds: Double { get }

    /// The number of password bytes that affect the hash; nil if all do.
    var significantByteCount: Int? { get }

    /// Whether the cost is within the limits.
    func isAllowed(by caps: StoredCostCaps) -> Bool

    /// Verifies a password on the calling thread, which it blocks.
    func matches(_ password: Secret, using argon2: Argon2) throws(HashError) -> Bool
}

extension StoredHash {
    var significantByteCount: Int? { nil }

    /// ``milliseconds``, rounded up.
    var roundedMilliseconds: Int { Int(milliseconds.rounded(.up)) }
}

/// Parses stored hashes.
enum StoredHashes {
    /// The maximum length of a stored hash in bytes, from libxcrypt's output buffer.
    static let maximumByteCount = 383

    /// Nil if `text` is malformed or its scheme is not supported. DES, MD5 and schemes without a salt or a cost are not
    /// supported.
    static func read(_ text: String) -> (any StoredHash)? {
        guard text.utf8.count <= maximumByteCount else { return nil }
        return PHCString(text) ?? CryptHash(text) ?? PBKDF2Hash(text) ?? ScryptHash(text)
    }
}

extension Secret {
    /// HMAC, which PBKDF2 and scrypt use, pads a short key with zeros, so trailing NULs have no effect. Latchkey treats
    /// such passwords as different.
    var hasNUL: Bool { withBytes { bytes in bytes.indices.contains { bytes[$0] == 0 } } }
}

extension StringProtocol {
    /// A whole number in decimal digits without a sign or leading zeros, up to `UInt32.max`.
    var plainNumber: UInt32? {
        // `UInt32` also parses "+1" and "01".
        guard let value = UInt32(self), String(value).utf8.elementsEqual(utf8) else { return nil }
        return value
    }

    /// The rest of the string after `key`; nil if it does not begin with `key`.
    func value(of key: String) -> SubSequence? {
        guard utf8.starts(with: key.utf8) else { return nil }
        return self[utf8.index(startIndex, offsetBy: key.utf8.count)...]
    }
}
