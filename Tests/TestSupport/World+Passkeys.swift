package import LatchkeyAccounts
package import LatchkeyPasskeys
package import LatchkeySecrets
import Testing

extension World {
    /// The relying party of the test authenticators.
    package static let party = RelyingParty(origin: WebOrigin("http://localhost:8421")!)!

    /// Creates an account with a passkey.
    ///
    /// - Parameter number: determines the key of the authenticator.
    package func createWithPasskey(
        _ name: String, _ number: UInt8 = 1, password: String = World.password
    ) async throws -> (account: Account, key: SoftwareAuthenticator, added: FactorAddition) {
        let account = try await create(name, password: password)
        var key = SoftwareAuthenticator(number)
        let added = try await addPasskey(&key, for: .session(try await signIn(name, password).token))
        return (account, key, added)
    }

    /// Adds the passkey of an authenticator.
    package func addPasskey(
        _ key: inout SoftwareAuthenticator, for owner: FactorOwner, named name: String = "Phone"
    ) async throws(AccountError) -> FactorAddition {
        let request = try await service.beginPasskey(for: owner)
        key.userHandle = request.account?.id.bytes
        return try await service.addPasskey(
            for: owner, key.register(request.challenge), named: name, at: Self.party)
    }

    /// Logs in with a passkey, or finishes a pending login with it.
    package func logIn(
        with key: SoftwareAuthenticator, pending: Secret? = nil
    ) async throws(AccountError) -> FactorResult {
        let request = try await service.beginPasskeyLogin(pending: pending)
        return try await service.logIn(with: key.assert(request.challenge), at: Self.party, pending: pending)
    }

    /// The session of a login with a passkey.
    package func signIn(
        with key: SoftwareAuthenticator, pending: Secret? = nil
    ) async throws -> SignIn {
        guard case .signedIn(let signIn) = try await logIn(with: key, pending: pending) else { throw NoChallenge() }
        return signIn
    }

    /// The error of a login with a passkey; nil if it succeeds.
    package func failure(loggingInWith key: SoftwareAuthenticator, pending: Secret? = nil) async -> AccountError? {
        await failure { () async throws(AccountError) in _ = try await logIn(with: key, pending: pending) }
    }
}
