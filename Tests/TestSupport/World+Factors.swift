public import LatchkeyAccounts
public import LatchkeySecrets
import Testing

extension World {
    /// Creates an account with an authenticator, and waits until its next code is valid.
    ///
    /// - Returns: the account, its phone and its saved codes.
    public func createWithFactor(
        _ name: String, password: String = World.password
    ) async throws -> (account: Account, phone: Phone, savedCodes: [Secret]) {
        let account = try await create(name, password: password)
        let (phone, added) = try await addFactor(for: .session(try await signIn(name, password).token))
        return (account, phone, added.savedCodes)
    }

    /// Sets up an authenticator, and waits until its next code is valid.
    public func addFactor(for owner: FactorOwner) async throws -> (Phone, FactorAddition) {
        let phone = try #require(Phone(try await service.beginAuthenticator(for: owner)))
        let added = try await service.confirmAuthenticator(for: owner, code: phone.code(clock))
        clock.advance(by: .seconds(30))
        return (phone, added)
    }

    /// The challenge in the error that `body` throws.
    public func challenge(_ body: () async throws(AccountError) -> Void) async throws -> FactorChallenge {
        guard case .factorRequired(let challenge?) = await failure(body) else {
            throw NoChallenge()
        }
        return challenge
    }

    /// The challenge of a login.
    public func challenge(
        signingIn name: String, _ password: String? = World.password
    ) async throws -> FactorChallenge {
        try await challenge { () async throws(AccountError) in _ = try await signIn(name, password) }
    }

    /// The service for requests from an address.
    public func service(from address: String) -> AccountService {
        service.serving(RequestContext(source: RequestSource(address)))
    }

    /// The challenge of a login with `service`.
    public func challenge(of name: String, by service: AccountService) async throws -> FactorChallenge {
        try await challenge { () async throws(AccountError) in
            _ = try await service.authenticate(identifier: name, password: Secret(Self.password))
        }
    }

    /// The error for a code that `service` gets; nil if it is correct.
    public func failure(
        finishing challenge: FactorChallenge, _ code: Secret?, by service: AccountService
    ) async -> AccountError? {
        await failure { () async throws(AccountError) in
            _ = try await service.finishLogin(pending: challenge.token, code: code)
        }
    }

    public func finish(_ challenge: FactorChallenge, _ code: Secret?) async throws(AccountError) -> SignIn? {
        guard case .signedIn(let signIn) = try await service.finishLogin(pending: challenge.token, code: code) else {
            return nil
        }
        return signIn
    }

    /// The error for a code; nil if the code is correct.
    public func failure(finishing challenge: FactorChallenge, _ code: Secret?) async -> AccountError? {
        await failure { () async throws(AccountError) in _ = try await finish(challenge, code) }
    }
}

struct NoChallenge: Error {}
