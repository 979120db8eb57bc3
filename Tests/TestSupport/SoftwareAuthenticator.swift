import CSodium
package import LatchkeyAccounts
package import LatchkeyPasskeys
import LatchkeySecrets

/// An authenticator with one Ed25519 key pair. A test can change what it claims, and it signs any challenge.
package struct SoftwareAuthenticator: Sendable {
    /// The ID of its credential.
    package let credentialID: [UInt8]
    /// The origin of the requesting page.
    package var origin: String
    /// The relying party of its responses.
    package var relyingPartyID: String
    /// The flags for user verification and backups in its responses.
    package var flags: AuthenticatorData.Flags = [.userPresent, .userVerified]
    /// The signature counter of its next response; 0 for none.
    package var counter: UInt32 = 0
    /// The user handle from its registration; nil for none.
    package var userHandle: [UInt8]?
    /// The type in the client data, if it is not the correct one.
    package var type: String?

    private let publicKey: [UInt8]
    private let secretKey: [UInt8]

    /// Creates an authenticator whose keys depend only on `number`.
    package init(
        _ number: UInt8 = 1, origin: String = "http://localhost:8421", relyingPartyID: String = "localhost",
        credentialID: [UInt8]? = nil
    ) {
        let seed = Array(repeating: number, count: Int(crypto_sign_ed25519_SEEDBYTES))
        var publicKey = Array(repeating: 0 as UInt8, count: Int(crypto_sign_ed25519_PUBLICKEYBYTES))
        var secretKey = Array(repeating: 0 as UInt8, count: Int(crypto_sign_ed25519_SECRETKEYBYTES))
        unsafe crypto_sign_ed25519_seed_keypair(&publicKey, &secretKey, seed)
        (self.publicKey, self.secretKey) = (publicKey, secretKey)
        self.credentialID = credentialID ?? Array(repeating: number, count: 16)
        self.origin = origin
        self.relyingPartyID = relyingPartyID
    }

    /// Registers its key for `challenge`.
    package func register(_ challenge: [UInt8]) -> PasskeyRegistration {
        let count = UInt16(credentialID.count)
        let head: [UInt8] = Array(repeating: 0, count: 16) + [UInt8(count >> 8), UInt8(truncatingIfNeeded: count)]
        let data = data(flags.union(.attestedCredential)) + head + credentialID + coseKey
        var object: [UInt8] = [0xA3] + Self.text("fmt") + Self.text("none")
        object += Self.text("attStmt") + [0xA0]
        let low = UInt8(truncatingIfNeeded: data.count)
        object +=
            Self.text("authData") + (data.count < 256 ? [0x58, low] : [0x59, UInt8(data.count >> 8), low]) + data
        return PasskeyRegistration(
            clientDataJSON: clientData("webauthn.create", challenge), attestationObject: object,
            transports: ["internal"])
    }

    /// Signs for `challenge`.
    package func assert(_ challenge: [UInt8]) -> PasskeyAssertion {
        let clientData = clientData("webauthn.get", challenge)
        let data = data(flags)
        let message = data + SHA256Digest.of(clientData.span)
        var signature = Array(repeating: 0 as UInt8, count: Int(crypto_sign_ed25519_BYTES))
        unsafe crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), secretKey)
        return PasskeyAssertion(
            credentialID: credentialID, clientDataJSON: clientData, authenticatorData: data, signature: signature,
            userHandle: userHandle)
    }

    /// The COSE_Key of an Ed25519 key (RFC 9053, section 7.2).
    private var coseKey: [UInt8] { [0xA4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20] + publicKey }

    private func data(_ flags: AuthenticatorData.Flags) -> [UInt8] {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self.counter >> $0) }
        return SHA256Digest.of(relyingPartyID.utf8Span.span) + [flags.rawValue] + bytes
    }

    private func clientData(_ type: String, _ challenge: [UInt8]) -> [UInt8] {
        let challenge = Base64URL.text(of: challenge)
        let json = #"{"type":"\#(self.type ?? type)","challenge":"\#(challenge)","origin":"\#(origin)","#
        return Array((json + #""crossOrigin":false}"#).utf8)
    }

    /// A CBOR text string of fewer than 24 bytes.
    private static func text(_ text: String) -> [UInt8] { [0x60 | UInt8(text.utf8.count)] + Array(text.utf8) }
}

// MARK: JSON of a browser

extension PasskeyRegistration {
    /// The response as a RegistrationResponseJSON (WebAuthn Level 3, section 5.1.8.1), without the members that no
    /// server needs.
    package var json: String {
        let (data, object) = (Base64URL.text(of: clientDataJSON), Base64URL.text(of: attestationObject))
        return #"{"type":"public-key","response":{"clientDataJSON":"\#(data)","attestationObject":"\#(object)","#
            + #""transports":["internal"]}}"#
    }
}

extension PasskeyAssertion {
    /// The response as an AuthenticationResponseJSON (WebAuthn Level 3, section 5.1.8.2).
    package var json: String {
        let handle = userHandle.map { #","userHandle":"\#(Base64URL.text(of: $0))""# } ?? ""
        let id = Base64URL.text(of: credentialID)
        return #"{"type":"public-key","id":"\#(id)","rawId":"\#(id)","response":{"#
            + #""clientDataJSON":"\#(Base64URL.text(of: clientDataJSON))","#
            + #""authenticatorData":"\#(Base64URL.text(of: authenticatorData))","#
            + #""signature":"\#(Base64URL.text(of: signature))"\#(handle)}}"#
    }
}
