package import LatchkeyAccounts
import LatchkeySecrets

/// The service that uses the passkeys, as browsers and authenticators identify it.
package struct RelyingParty: Equatable, Sendable {
    /// The domain. A passkey works only for the relying party that registered it.
    package let id: String
    /// The origins whose pages may use the passkeys.
    package let origins: [WebOrigin]

    /// Creates a relying party. Browsers require the host of each origin to be `id` or a subdomain of it.
    package init(id: String, origins: [WebOrigin]) {
        self.id = id
        self.origins = origins
    }

    /// The relying party of one origin. Nil if browsers offer no passkeys there: for an IP address, and without TLS
    /// except on `localhost` and its subdomains.
    package init?(origin: WebOrigin) {
        let domain = String(origin.host.prefix { $0 != ":" })
        guard !origin.exposesPasswords, !domain.hasPrefix("["),
            // The last label of a domain is never a number (RFC 1123, section 2.1).
            let last = domain.split(separator: ".").last, last.contains(where: \.isLetter)
        else { return nil }
        self.init(id: domain, origins: [origin])
    }
}

extension RelyingParty: PasskeyVerifier {
    package func challenge(in clientDataJSON: [UInt8]) throws(PasskeyFailure) -> [UInt8] {
        guard let bytes = Base64URL.bytes(of: try ClientData(clientDataJSON).challenge) else { throw .wrongChallenge }
        return bytes
    }

    package func verify(
        _ registration: PasskeyRegistration, challenge: [UInt8]
    ) throws(PasskeyFailure) -> PasskeyCredential {
        try PasskeyCeremony(challenge: challenge, relyingParty: self).verify(registration)
    }

    package func verify(
        _ assertion: PasskeyAssertion, challenge: [UInt8], by credential: PasskeyCredential, userHandle: [UInt8],
        isUserKnown: Bool
    ) throws(PasskeyFailure) -> PasskeyCredential {
        try PasskeyCeremony(challenge: challenge, relyingParty: self)
            .verify(assertion, by: credential, userHandle: userHandle, isUserKnown: isUserKnown)
    }
}
