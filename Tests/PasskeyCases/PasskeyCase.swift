package import LatchkeyAccounts
import LatchkeyPasskeys
import LatchkeySecrets

/// A response of an authenticator and the expected verdict, in the format of Tests/Fixtures/passkeys. Bytes are in
/// base64url. A case with a credential is a login, and any other a registration.
package struct PasskeyCase: Decodable, Sendable {
    package let why: String
    /// `ok`, or the code of the failure.
    package let verdict: String
    private let rpId: String
    private let origin: String
    private let challenge: Bytes
    private let response: Response
    private let credential: Credential?
    private let userHandle: Bytes?
    private let isUserKnown: Bool?

    private struct Response: Decodable, Sendable {
        let clientDataJSON: Bytes
        let attestationObject: Bytes?
        let transports: [String]?
        let id: Bytes?
        let authenticatorData: Bytes?
        let signature: Bytes?
        let userHandle: Bytes?
    }

    private struct Credential: Decodable, Sendable {
        let id: Bytes
        let publicKey: Bytes
        let signCount: UInt32
        let isBackupEligible: Bool
    }

    private struct Bytes: Decodable, Sendable {
        let bytes: [UInt8]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let bytes = Base64URL.bytes(of: try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url")
            }
            self.bytes = bytes
        }
    }

    /// Verifies the response.
    ///
    /// - Returns: the credential to store.
    package func verify() throws(PasskeyFailure) -> PasskeyCredential {
        let origins = [WebOrigin(origin)].compactMap(\.self)
        let ceremony = PasskeyCeremony(
            challenge: challenge.bytes, relyingParty: RelyingParty(id: rpId, origins: origins))
        guard let credential else {
            return try ceremony.verify(
                PasskeyRegistration(
                    clientDataJSON: response.clientDataJSON.bytes,
                    attestationObject: response.attestationObject?.bytes ?? [], transports: response.transports ?? []))
        }
        return try ceremony.verify(
            PasskeyAssertion(
                credentialID: response.id?.bytes ?? [], clientDataJSON: response.clientDataJSON.bytes,
                authenticatorData: response.authenticatorData?.bytes ?? [],
                signature: response.signature?.bytes ?? [], userHandle: response.userHandle?.bytes),
            by: PasskeyCredential(
                id: credential.id.bytes, publicKey: credential.publicKey.bytes, signCount: credential.signCount,
                isBackupEligible: credential.isBackupEligible, isBackedUp: false, transports: []),
            userHandle: userHandle?.bytes ?? [], isUserKnown: isUserKnown ?? false)
    }
}
