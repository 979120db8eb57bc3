package import LatchkeyAccounts

/// The signed statement of an authenticator about itself and its user (WebAuthn Level 3, section 6.1).
package struct AuthenticatorData: Equatable, Sendable {
    /// The flags of an authenticator. Two bits are reserved and ignored.
    package struct Flags: OptionSet, Sendable {
        /// The byte that contains the flags.
        package let rawValue: UInt8

        /// Creates flags from the byte.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// UP: the user was present.
        package static let userPresent = Flags(rawValue: 1 << 0)
        /// UV: the authenticator verified the user.
        package static let userVerified = Flags(rawValue: 1 << 2)
        /// BE: the credential may be backed up.
        package static let backupEligible = Flags(rawValue: 1 << 3)
        /// BS: the credential is backed up.
        package static let backedUp = Flags(rawValue: 1 << 4)
        /// AT: the data contains a new credential.
        package static let attestedCredential = Flags(rawValue: 1 << 6)
        /// ED: the data ends with a map of extensions.
        package static let extensions = Flags(rawValue: 1 << 7)
    }

    /// The credential that a registration creates.
    package struct AttestedCredential: Equatable, Sendable {
        /// The credential ID, 1 to 1023 bytes.
        package let id: [UInt8]
        /// The encoded public key: one CBOR value, otherwise unchecked.
        package let publicKey: [UInt8]
    }

    /// The SHA-256 of the relying party's ID.
    package let relyingPartyIDHash: [UInt8]
    /// The flags.
    package let flags: Flags
    /// The signature counter; always 0 if the authenticator does not count.
    package let signCount: UInt32
    /// The new credential; nil if the flag AT is not set.
    package let credential: AttestedCredential?

    /// The end of the hash, and the end of the header with flags and counter.
    private static let (hashEnd, headEnd) = (32, 37)
    /// The AAGUID, which identifies the model and is ignored, and the length of the credential ID.
    private static let credentialHeadByteCount = 16 + 2
    private static let credentialIDByteCounts = 1...1023

    /// Parses authenticator data. Extensions must be a map but are otherwise ignored, because Latchkey requests none.
    ///
    /// - Throws: ``PasskeyFailure/malformedAuthenticatorData`` or ``PasskeyFailure/credentialIDLength``.
    package init(_ bytes: [UInt8]) throws(PasskeyFailure) {
        guard bytes.count >= Self.headEnd else { throw .malformedAuthenticatorData }
        relyingPartyIDHash = Array(bytes[..<Self.hashEnd])
        flags = Flags(rawValue: bytes[Self.hashEnd])
        signCount = bytes[(Self.hashEnd + 1)..<Self.headEnd].reduce(0) { $0 << 8 | UInt32($1) }
        var offset = Self.headEnd
        credential = flags.contains(.attestedCredential) ? try Self.credential(in: bytes, at: &offset) : nil
        if flags.contains(.extensions) {
            guard case .map = try Self.value(in: bytes, at: &offset) else { throw .malformedAuthenticatorData }
        }
        guard offset == bytes.count else { throw .malformedAuthenticatorData }
    }

    private static func credential(
        in bytes: [UInt8], at offset: inout Int
    ) throws(PasskeyFailure) -> AttestedCredential {
        let idStart = offset + credentialHeadByteCount
        guard bytes.count >= idStart else { throw .malformedAuthenticatorData }
        let count = Int(bytes[idStart - 2]) << 8 | Int(bytes[idStart - 1])
        guard credentialIDByteCounts ~= count else { throw .credentialIDLength }
        let keyStart = idStart + count
        guard bytes.count >= keyStart else { throw .malformedAuthenticatorData }
        offset = keyStart
        _ = try value(in: bytes, at: &offset)
        return AttestedCredential(id: Array(bytes[idStart..<keyStart]), publicKey: Array(bytes[keyStart..<offset]))
    }

    private static func value(in bytes: [UInt8], at offset: inout Int) throws(PasskeyFailure) -> CBORValue {
        do {
            var reader = try CBORReader(bytes, from: offset)
            let value = try reader.next()
            offset = reader.offset
            return value
        } catch {
            throw .malformedAuthenticatorData
        }
    }
}
