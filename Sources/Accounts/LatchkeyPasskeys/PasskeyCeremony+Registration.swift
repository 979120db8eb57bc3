package import LatchkeyAccounts

extension PasskeyCeremony {
    /// Verifies a registration (WebAuthn Level 3, section 7.1) and returns the new credential.
    ///
    /// Latchkey requests the attestation "none" and does not rely on any other. It therefore accepts any attestation
    /// statement that is well-formed CBOR, without examining it. The caller must check that no account has the same
    /// credential ID.
    package func verify(_ registration: PasskeyRegistration) throws(PasskeyFailure) -> PasskeyCredential {
        try check(try ClientData(registration.clientDataJSON), type: "webauthn.create")
        let data = try AuthenticatorData(try Self.authenticatorData(in: registration.attestationObject))
        try check(data)
        guard let credential = data.credential else { throw .malformedAuthenticatorData }
        // Refuses keys that a login could not use later.
        _ = try COSEKey(credential.publicKey)
        return PasskeyCredential(
            id: credential.id, publicKey: credential.publicKey, signCount: data.signCount,
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp),
            transports: Self.plain(registration.transports))
    }

    private static func authenticatorData(in attestationObject: [UInt8]) throws(PasskeyFailure) -> [UInt8] {
        guard let object = try? CBORReader.value(of: attestationObject, hasSortedKeys: false),
            case .map(let entries) = object,
            entries.count == 3, case .text = object["fmt"], case .map = object["attStmt"],
            let data = object["authData"]?.asBytes
        else { throw .malformedAttestation }
        return data
    }

    /// The values that look like transports, sorted. Unknown transports are kept (WebAuthn Level 3, section 5.8.4),
    /// within limits, because a client can send anything.
    private static func plain(_ transports: [String]) -> [String] {
        let plain = transports.filter { transport in
            (1...16).contains(transport.utf8.count)
                && transport.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
        }
        return Array(Set(plain).sorted().prefix(8))
    }
}
