import LatchkeyAccounts
import LatchkeySecrets

/// A passkey registration or login that waits for the authenticator's response. Verifying the response has no side
/// effects: the caller uses up the challenge first.
///
/// User presence and user verification are always required, so that a passkey counts as two factors (NIST SP 800-63B-4,
/// section 3.1.7).
package struct PasskeyCeremony: Sendable {
    /// The minimum length of a challenge in bytes (WebAuthn Level 3, section 13.4.3).
    package static let minimumChallengeByteCount = 16

    /// The challenge for the browser.
    package let challenge: [UInt8]
    /// The service that requests the passkey.
    package let relyingParty: RelyingParty

    /// Creates a ceremony. A challenge that is too short never matches a response.
    package init(challenge: [UInt8], relyingParty: RelyingParty) {
        self.challenge = challenge
        self.relyingParty = relyingParty
    }

    /// Checks the client data, in the order of WebAuthn Level 3, sections 7.1 and 7.2.
    func check(_ data: ClientData, type: String) throws(PasskeyFailure) {
        // Compares bytes, because `String` compares by canonical equivalence.
        guard data.type.utf8.elementsEqual(type.utf8) else { throw .wrongType }
        guard challenge.count >= Self.minimumChallengeByteCount,
            data.challenge.utf8.elementsEqual(Base64URL.text(of: challenge).utf8)
        else { throw .wrongChallenge }
        guard relyingParty.origins.contains(where: { $0.text.utf8.elementsEqual(data.origin.utf8) }) else {
            throw .wrongOrigin
        }
        guard !data.isCrossOrigin else { throw .crossOrigin }
    }

    /// Checks the relying party and the flags, as sections 7.1 and 7.2 require.
    func check(_ data: AuthenticatorData) throws(PasskeyFailure) {
        guard data.relyingPartyIDHash == SHA256Digest.of(relyingParty.id.utf8Span.span) else {
            throw .wrongRelyingParty
        }
        guard data.flags.contains(.userPresent) else { throw .userNotPresent }
        guard data.flags.contains(.userVerified) else { throw .userNotVerified }
        guard data.flags.contains(.backupEligible) || !data.flags.contains(.backedUp) else {
            throw .inconsistentBackup
        }
    }
}
