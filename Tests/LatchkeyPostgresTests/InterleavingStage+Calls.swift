import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport

/// The calls that interrupt each other.
extension InterleavingStage {
    static let password = Secret("correct horse battery")
    static let new = Secret("another horse battery")
    static let ada = AccountLookup("ada")!
    static let staff = GroupName("staff")!
    static let crew = GroupName("crew")!
    static let redirectURI = "https://wiki.example.org/cb"

    static func code(by service: AccountService, _ session: Secret) async throws -> Secret {
        let request = CodeRequest(
            client: "wiki", scopes: ["openid", "offline_access"], redirectURI: redirectURI, challenge: "challenge")
        guard case .code(let code) = try await service.authorize(request, session: session, withConsent: false) else {
            throw AccountError.noSession
        }
        return code
    }

    static func redeem(_ code: Secret, by service: AccountService) async throws -> IssuedTokens? {
        try? await service.redeem(code, by: "wiki", redirectURI: redirectURI) { _ in true }.get()
    }

    private static func call(
        _ name: String, _ run: @escaping @Sendable (AccountService, State) async throws -> Any?
    ) -> Call {
        Call(name: name) { (service, state) in
            let result = try await run(service, state)
            return (result as? Bool).map { "\($0)" } ?? (result == nil ? "nothing" : "done")
        }
    }

    static let calls: [Call] = [
        call("login") { (service, _) in try await service.authenticate(identifier: "ada", password: password) },
        call("login by address") { (service, _) in
            try await service.authenticate(identifier: "ada@example.org", password: password)
        },
        call("wrong password") { (service, _) in
            try await service.authenticate(identifier: "ada", password: new)
        },
        call("unknown name") { (service, _) in
            try await service.authenticate(identifier: "nobody", password: password)
        },
        call("wrong app password") { (service, _) in
            try await service.verifyAppLogin(identifier: "ada", password: password)
        },
        call("sign-up") { (service, _) in
            try await service.create(
                AccountDraft(username: "new", email: "new@example.org", password: password), by: .owner)
        },
        call("check") { (service, state) in try await service.session(for: state.session) },
        call("reauthentication") { (service, state) in
            try await service.reauthenticate(token: state.session, password: password)
        },
        call("password change") { (service, state) in
            try await service.changePassword(token: state.session, current: password, new: new)
        },
        call("password of an operator") { (service, _) in
            try await service.setPassword(of: ada, to: new, mustChangePassword: false, by: .owner)
        },
        call("demand for a new password") { (service, _) in
            try await service.requirePasswordChange(of: ada, isCompromised: true, by: .owner)
        },
        call("recovery") { (service, state) in
            try await service.finishRecovery(code: state.recovery, password: new)
        },
        call("request for recovery") { (service, _) in try await service.beginRecovery(email: "ada@example.org") },
        call("code of an operator") { (service, _) in
            try await service.issueRecoveryCode(for: ada, isSent: true, by: .owner)
        },
        call("logout") { (service, state) in try await service.endSession(token: state.session) },
        call("logout elsewhere") { (service, state) in
            try await service.endSessions(.others, token: state.session)
        },
        call("end of all sessions") { (service, _) in try await service.endSessions(.all, of: ada, by: .owner) },
        call("disabling") { (service, _) in
            try await service.set(.disabled, of: ada, mayLeaveNone: true, by: .owner)
        },
        call("unlocking") { (service, _) in try await service.unlock(ada, by: .owner) },
        call("deletion") { (service, _) in try await service.delete(ada, by: .owner, mayLeaveNone: true) },
        call("own deletion") { (service, state) in
            try await service.deleteOwnAccount(token: state.other, current: password)
        },
        call("new address") { (service, state) in
            try await service.updateProfile(token: state.session, ProfileDraft(email: "new@example.org"))
        },
        call("new name") { (service, _) in
            try await service.update(ada, ProfileDraft(username: "new"), by: .owner)
        },
        call("new authenticator") { (service, state) in
            try await service.beginAuthenticator(for: .session(state.session))
        },
        call("confirmed authenticator") { (service, state) in
            try await service.confirmAuthenticator(
                for: .session(state.session), code: state.phone?.code(state.clock, steps: -2))
        },
        call("reset of factors") { (service, _) in try await service.resetFactors(of: ada, by: .owner) },
        call("new app password") { (service, state) in
            try await service.createAppPassword(token: state.session, name: "Calendar")
        },
        call("revoked app password") { (service, state) in
            try await service.revokeAppPassword(state.appPassword, token: state.session)
        },
        call("new member") { (service, _) in
            try await service.setMembership(of: ada, in: crew, to: true, by: .owner)
        },
        call("left group") { (service, _) in
            try await service.setMembership(of: ada, in: staff, to: false, by: .owner)
        },
        call("new name of a group") { (service, _) in
            try await service.changeGroup(staff, to: GroupName("team")!, by: .owner)
        },
        call("deleted group") { (service, _) in try await service.deleteGroup(crew, force: true, by: .owner) },
        call("operator token") { (service, _) in
            try await service.createToken("other", scopes: [.readAccounts], lifetime: nil, by: .owner)
        },
        call("revoked token") { (service, state) in try await service.revokeToken(state.token, by: .owner) },
        call("code of an application") { (service, state) in try await code(by: service, state.session) },
        call("redeemed code") { (service, state) in
            try await redeem(state.code, by: service)
        },
        call("refreshed token") { (service, state) in
            try? await service.refresh(state.refresh, by: "wiki", scopes: nil).get()
        },
        call("removed application") { (service, _) in try await service.removeClient("wiki", by: .owner) },
        call("maintenance") { (service, _) in try await service.maintain(by: .owner) },
        call("sealing") { (service, _) in
            _ = try await service.sealAudit()
            return "done"
        },
    ]
}
