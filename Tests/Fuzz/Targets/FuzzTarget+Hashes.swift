import LatchkeyAccounts
import LatchkeySecrets

@testable import LatchkeyHashing

extension FuzzTarget {
    static let phcString = FuzzTarget("phc-string", upTo: 512) { bytes in
        let text = bytes.repairedText
        guard let hash = PHCString(text) else { return nil }
        if !hash.text.utf8.elementsEqual(text.utf8) { return "it is written otherwise than it was read" }
        guard PHCString.saltByteCounts ~= hash.salt.count, PHCString.tagByteCounts ~= hash.tag.count else {
            return "salt or tag have a length that is not allowed"
        }
        return nil
    }

    /// Imported hashes: parsing, the computed cost and, if the cost is small, verification.
    static let storedHash = FuzzTarget("stored-hash", upTo: 512) { bytes in
        let text = bytes.repairedText
        guard let hash = StoredHashes.read(text) else {
            _ = UnsupportedScheme(of: PasswordHash(phc: text))
            return nil
        }
        guard hash.milliseconds.isFinite, hash.milliseconds >= 0, hash.memory >= 0 else { return "a cost that is none" }
        guard hash.isAllowed(by: .standard) else { return nil }
        if hash.memory > 256 << 10 { return "\(hash.memory) KiB are allowed" }
        if hash.milliseconds > 2_500 { return "\(hash.milliseconds) ms are allowed" }
        guard hash.milliseconds < 1, hash.memory < 1_024 else { return nil }
        do throws(HashError) {
            return try hash.matches(Secret(copying: "fuzz".utf8Span.span), using: Argon2())
                ? "it matches what it was not made of" : nil
        } catch {
            return error == .outOfMemory ? nil : "\(error)"
        }
    }
}
