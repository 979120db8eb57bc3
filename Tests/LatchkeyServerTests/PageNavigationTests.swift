import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct PageNavigationTests {
    private static let values: [AccountType: [(String, String)]] = [
        .login: [("username", "ada"), ("password", "x")],
        .setup: [
            ("email_field", "eve@example.org"), ("username", "eve"), ("password", "correct horse battery"),
        ],
        .forgotPassword: [("email_field", "ada@example.org")],
        .resetPassword: [("code", "ABCD-EFGH"), ("password", "correct horse battery")],
        .changePassword: [("current_password", "x"), ("password", "correct horse battery")],
        .profile: [("email_field", "ada@example.org"), ("username", "ada")],
        .deleteAccount: [("current_password", "x")],
        .reauthenticate: [("current_password", "x")],
        .secondFactor: [("code", "123456")],
        .addFactor: [("code", "123456")],
    ]

    private static let responses: [NetworkResponse] = [
        .changeRequired(), .refused(.reauthenticationRequired), .refused(.factorRequired),
        .refused(.enrolmentRequired), .refused(.invalidCredentials), .passwordReset, .success(), .codeSent(),
        .unavailable(),
    ]

    /// Responds to the call with the given response, and refuses the login after a sign-up.
    private func world(_ flow: AccountType, _ response: NetworkResponse) throws -> ServiceWorld {
        try ServiceWorld(
            networking: ScriptedNetworking(answering: { call, _ in call == flow ? response : .unavailable() }))
    }

    @Test(arguments: AccountType.allCases)
    func `a page leads to the same destination as the terminal`(flow: AccountType) async throws {
        for response in Self.responses {
            let world = try world(flow, response)
            try await world.world.create("ada")
            let cookie = try await world.world.signIn("ada").token.text
            let answer = try await world.submit(flow.traits.page, try #require(Self.values[flow]), cookie: cookie)
            let path = answer["Location"].map { String($0.prefix { $0 != "?" }) }
            switch flow.destination(after: response) {
            case .push(.resetPassword), .replace(.resetPassword):
                // The page in between says where the message went.
                #expect(answer.text.contains(#"action="/reset-password""#), "\(flow) \(response.code)")
            case .push(let next), .replace(let next): #expect(path == next.traits.page, "\(flow) \(response.code)")
            case .signedIn: #expect(path == "/account", "\(flow) \(response.code)")
            case .stay where response.outcome == .success || response.outcome == .mustChangePassword:
                #expect(path == flow.traits.page, "\(flow) \(response.code)")
            case .stay: #expect(path == nil && answer.status >= 400, "\(flow) \(response.code)")
            case .back, .ignored: Issue.record("no response of this test leads back")
            }
        }
    }

    @Test func `a change without a recent password leads to the confirmation page and back`() async throws {
        let world = try world(.profile, .refused(.reauthenticationRequired))
        try await world.world.create("ada")
        let cookie = try await world.world.signIn("ada").token.text
        let refused = try await world.submit(
            "/account/profile", try #require(Self.values[.profile]), cookie: cookie)
        #expect(refused["Location"] == "/account/confirm?return=/account/profile")
    }

    @Test func `pages and the API report their calls and invalid forms on one stream`() async throws {
        let events = AccountEvents()
        let feed = events.events(limit: 100)
        let world = try ServiceWorld(events: events)
        let account = try await world.world.create("ada").id.text
        _ = try await world.submit("/login", [("username", "ada"), ("password", "wrong password")])
        let cookie = try await world.logInOnPage("ada")
        _ = try await world.submit("/forgot-password", [("email_field", "no address")])
        _ = try await world.submit("/forgot-password", [("email_field", "ada@example.org")])
        _ = try await world.submit("/logout", [], cookie: cookie)
        _ = try await world.send("POST", "/api/v1/flows/login", #"{"values":{"username":"ada"}}"#)
        _ = try await world.logIn("ada")
        var heard: [AccountEvent] = []
        while let event = feed.poll()?.event { heard.append(event) }
        #expect(
            heard == [
                .call(.began(id: 1, call: .login)), .call(.ended(id: 1, call: .login, code: .invalidCredentials)),
                .call(.began(id: 2, call: .login)), .call(.ended(id: 2, call: .login, code: .success)),
                .session(.began(account: account)),
                .form(.invalid(form: "forgotPassword", [FieldRefusal(field: .email, code: .email)])),
                .call(.began(id: 3, call: .forgotPassword)),
                .call(.ended(id: 3, call: .forgotPassword, code: .success)),
                .navigation(.moved(from: .forgotPassword, to: .resetPassword, .answer)),
                .session(.ended(account: nil)),
                .form(.invalid(form: "login", [FieldRefusal(field: .password, code: .required)])),
                .call(.began(id: 4, call: .login)), .call(.ended(id: 4, call: .login, code: .success)),
                .session(.began(account: account)),
            ])
    }
}
