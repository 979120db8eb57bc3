import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
@MainActor struct AccountCoordinatorTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let flow: String
        let response: String
        let destination: String
        let path: [String]
        /// The goals that the response reaches: `signedIn`, or success of a flow.
        let finishes: [String]
        let why: String

        var testDescription: String { "\(flow), \(response): \(why)" }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "flows/destinations.jsonl"))
    func `a response leads to the destination in the table`(row: Row) async throws {
        let type = try #require(AccountType(rawValue: row.flow))
        let response = try #require(NetworkResponse.samples[row.response])
        for (name, goal) in Self.goals {
            let journey = try Journey(opening: type, until: goal, answers: [response])
            let (destination, answer) = try await journey.submit()
            #expect(destination.name == row.destination)
            #expect(answer == response)
            #expect(try journey.coordinator.path.map(\.rawValue) == row.path)
            #expect(try journey.coordinator.responder?.rawValue == row.path.last)
            #expect(try journey.coordinator.isFinished == row.finishes.contains(name), "until \(name)")
            #expect(try !journey.coordinator.isBusy)
            #expect(await journey.events() == Self.events(after: response, in: type, leadingTo: destination))
        }
    }

    @Test func `the table has a row for every flow and response`() throws {
        let rows = try Fixture.rows(of: Row.self, in: "flows/destinations.jsonl")
        let all = AccountType.allCases.flatMap { type in NetworkResponse.samples.keys.map { type.rawValue + $0 } }
        #expect(Set(rows.map { $0.flow + $0.response }) == Set(all))
        #expect(rows.count == all.count)
        #expect(Set(NetworkResponse.samples.values.map(\.code)) == Set(NetworkResponse.Code.allCases))
    }

    @Test(arguments: AccountType.allCases)
    func `every link of a form opens its flow, and cancelling returns`(type: AccountType) async throws {
        for link in try FormCatalogue.shipped.form(for: type).links {
            let journey = try Journey(opening: type)
            try journey.coordinator.updateResponder(to: link)
            #expect(try journey.coordinator.path == [type, link])
            try journey.coordinator.cancel()
            #expect(try journey.coordinator.path == [type])
            #expect(
                await journey.events() == [
                    .navigation(.opened(type)), .navigation(.moved(from: type, to: link, .link)),
                    .navigation(.moved(from: link, to: type, .back)),
                ])
        }
    }

    @Test func `a link to the previous flow goes back, and a link to the current flow does nothing`() async throws {
        let journey = try Journey(opening: .login)
        for type in [AccountType.setup, .forgotPassword, .resetPassword, .setup, .setup] {
            try journey.coordinator.updateResponder(to: type)
        }
        #expect(try journey.coordinator.path == [.login, .setup])
        try journey.coordinator.updateResponder(to: .login)
        #expect(try journey.coordinator.path == [.login])
        #expect(await journey.events().count == 6, "the second to the same is no move")
    }

    @Test func `a response that leads to the previous flow goes back`() async throws {
        let journey = try Journey(opening: .resetPassword, answers: [.success()])
        try journey.coordinator.updateResponder(to: .forgotPassword)
        #expect(try await journey.submit().0 == .push(.resetPassword))
        #expect(try journey.coordinator.path == [.resetPassword], "a finished screen leaves the path")
    }

    @Test(arguments: AccountType.allCases)
    func `cancelling the first flow quits`(type: AccountType) async throws {
        let journey = try Journey(opening: type)
        let coordinator = try journey.coordinator
        coordinator.cancel()
        #expect(coordinator.path.isEmpty && coordinator.responder == nil && !coordinator.isFinished)
        coordinator.cancel()
        coordinator.updateResponder(to: .setup)
        #expect(coordinator.path.isEmpty, "and nothing leads back")
        #expect(try await journey.submit(type).0 == .ignored)
        #expect(journey.networking.calls.isEmpty)
    }

    @Test func `a second factor that took too long returns to the password`() async throws {
        let journey = try Journey(opening: .login, answers: [.refused(.factorRequired), .refused(.noSession)])
        #expect(try await journey.submit().0 == .push(.secondFactor))
        #expect(try await journey.submit().0 == .back)
        #expect(try journey.coordinator.path == [.login])
        #expect(try !journey.coordinator.isFinished)
        #expect(await journey.events().contains(.navigation(.moved(from: .secondFactor, to: .login, .answer))))
    }

    @Test func `a flow that requires a recent password continues after the password was entered`() async throws {
        let journey = try Journey(
            opening: .profile, until: .success(of: .profile),
            answers: [
                .refused(.reauthenticationRequired), .refused(.factorRequired), .success(), .success(),
            ])
        #expect(try await journey.submit().0 == .push(.reauthenticate))
        #expect(try await journey.submit().0 == .push(.secondFactor))
        #expect(try await journey.submit().0 == .back, "logged in again is not the goal")
        #expect(try journey.coordinator.path == [.profile])
        #expect(try !journey.coordinator.isFinished)
        #expect(try await journey.submit().0 == .signedIn)
        #expect(try journey.coordinator.isFinished)
        let events = await journey.events()
        #expect(events.contains(.navigation(.moved(from: .secondFactor, to: .profile, .answer))))
        #expect(events.count { $0 == .session(.began(account: nil)) } == 1)
    }

    @Test func `after a sign-up, the new account is logged in with its password`() {
        let password = Secret("correct horse battery")
        let credentials = Credentials([.email: .text("ada@example.org"), .password: .secret(password)])
        let login = AccountType.setup.login(after: .success(), to: credentials)
        #expect(login?.text(.username) == "ada@example.org")
        #expect(login?.secret(.password)?.isEqual(to: password) == true)
        #expect(AccountType.setup.login(after: .codeSent(), to: credentials) == nil, "the address comes first")
        #expect(AccountType.setup.login(after: .refused(.taken), to: credentials) == nil)
        #expect(AccountType.resetPassword.login(after: .success(), to: credentials) == nil, "its form asks for no name")
    }

    // MARK: While a call runs

    enum Leaving: CaseIterable { case back, out, link }

    @Test(arguments: Leaving.allCases, ["success", "change_required", "refused", "unavailable"])
    func `the response to an abandoned call does not change the screen`(leaving: Leaving, answer: String) async throws {
        let response = try #require(NetworkResponse.samples[answer])
        let journey = try Journey(opening: leaving == .out ? .login : .setup)
        if leaving != .out { try journey.coordinator.updateResponder(to: .login) }
        journey.networking.hold()
        let call = Task { try await journey.submit() }
        await journey.networking.called(times: 1)
        #expect(try journey.coordinator.isBusy)
        switch leaving {
        case .back, .out: try journey.coordinator.cancel()
        case .link: try journey.coordinator.updateResponder(to: .forgotPassword)
        }
        #expect(try !journey.coordinator.isBusy)
        let path = try journey.coordinator.path
        journey.networking.release(with: response)
        let (destination, late) = try await call.value
        #expect(destination == .ignored && late == response)
        #expect(try journey.coordinator.path == path && !journey.coordinator.isFinished)
        let events = await journey.events()
        let calls = events.compactMap { if case .call(let event) = $0 { event } else { nil } }
        #expect(
            calls == [
                .began(id: 1, call: .login), .abandoned(id: 1, call: .login),
                .ended(id: 1, call: .login, code: response.code),
            ])
        #expect(!events.contains(.session(.began(account: nil))))
        #expect(events.last == .call(.ended(id: 1, call: .login, code: response.code)))
    }

    @Test func `submitting twice makes one call`() async throws {
        // A second call would have a response too, so that the test fails instead of hanging.
        let gate = TestGate()
        let networking = ScriptedNetworking { _, _ in
            await gate.wait()
            return .success()
        }
        let journey = try Journey(opening: .login, over: networking)
        let first = Task { try await journey.submit() }
        await networking.called(times: 1)
        let second = Task { try await journey.submit() }
        for _ in 0..<100 { await Task.yield() }
        gate.open()
        let ignored = try await second.value
        #expect(ignored.0 == .ignored && ignored.1 == nil)
        #expect(try await first.value.0 == .signedIn)
        #expect(journey.networking.calls == [.login])
        #expect(try await journey.submit(.login).0 == .ignored, "nor is there another after the goal")
        #expect(journey.networking.calls == [.login])
    }

    @Test func `credentials of a flow that is not on screen are ignored`() async throws {
        let journey = try Journey(opening: .login)
        for type in AccountType.allCases where type != .login {
            let answer = try await journey.submit(type)
            #expect(answer.0 == .ignored && answer.1 == nil)
        }
        #expect(journey.networking.calls.isEmpty)
        #expect(await journey.events() == [.navigation(.opened(.login))])
    }

    @Test func `a call waits for an abandoned call to end`() async throws {
        let journey = try Journey(opening: .setup)
        journey.networking.hold()
        try journey.coordinator.updateResponder(to: .login)
        let first = Task { try await journey.submit() }
        await journey.networking.called(times: 1)
        try journey.coordinator.cancel()
        try journey.coordinator.updateResponder(to: .login)
        let second = Task { try await journey.submit() }
        while try !journey.coordinator.isBusy { await Task.yield() }
        #expect(journey.networking.calls.count == 1, "there are never two at once")
        journey.networking.release(with: .success())
        #expect(try await first.value.0 == .ignored)
        await journey.networking.called(times: 2)
        #expect(try journey.coordinator.isBusy, "the second now runs")
        journey.networking.release(with: .refused(.invalidCredentials))
        #expect(try await second.value.0 == .stay)
        #expect(try journey.coordinator.path == [.setup, .login])
        let told = await journey.events().filter { if case .navigation = $0 { false } else { true } }
        #expect(
            told == [
                .activity(.busy), .call(.began(id: 1, call: .login)), .call(.abandoned(id: 1, call: .login)),
                .activity(.idle),
                // The screen is busy before the call begins.
                .activity(.busy), .call(.ended(id: 1, call: .login, code: .success)),
                .call(.began(id: 2, call: .login)), .call(.ended(id: 2, call: .login, code: .invalidCredentials)),
                .activity(.idle),
            ])
    }

    @Test func `a call that is abandoned while it waits is never made`() async throws {
        let journey = try Journey(opening: .setup)
        journey.networking.hold()
        try journey.coordinator.updateResponder(to: .login)
        let first = Task { try await journey.submit() }
        await journey.networking.called(times: 1)
        try journey.coordinator.cancel()
        let second = Task { try await journey.submit(.setup) }
        while try !journey.coordinator.isBusy { await Task.yield() }
        try journey.coordinator.cancel()
        journey.networking.release(with: .success())
        _ = try await first.value
        let answer = try await second.value
        #expect(answer.0 == .ignored && answer.1 == nil)
        #expect(journey.networking.calls == [.login])
        #expect(try journey.coordinator.path.isEmpty)
    }

    @Test func `a call gets the credentials unchanged`() async throws {
        let journey = try Journey(opening: .login, answers: [.success()])
        _ = try await journey.coordinator.userProvidedValidated(
            credentials: Credentials([.username: .text("ada")]), type: .login)
        #expect(journey.networking.credentials.map { $0.text(.username) } == ["ada"])
    }

    @Test func `a recovery is complete when the new password is set`() async throws {
        let journey = try Journey(
            opening: .login, until: .success(of: .forgotPassword),
            answers: [.success(), .refused(.validationFailed), .success()])
        try journey.coordinator.updateResponder(to: .forgotPassword)
        _ = try await journey.submit()
        #expect(try journey.coordinator.path == [.login, .forgotPassword, .resetPassword])
        _ = try await journey.submit()
        #expect(try !journey.coordinator.isFinished)
        _ = try await journey.submit()
        #expect(try journey.coordinator.isFinished && journey.coordinator.path == [.login])
        #expect(try await journey.submit().0 == .ignored)
    }

    @Test func `a required password change completes the login`() async throws {
        let journey = try Journey(
            opening: .login, until: .success(of: .login), answers: [.changeRequired(), .success()])
        _ = try await journey.submit()
        #expect(try journey.coordinator.responder == .changePassword && !journey.coordinator.isFinished)
        #expect(try await journey.submit().0 == .signedIn)
        #expect(try journey.coordinator.isFinished)
    }

    // MARK: Tables

    private static var goals: [(String, Goal)] {
        [("signedIn", .signedIn)] + AccountType.allCases.map { ($0.rawValue, .success(of: $0)) }
    }

    private static func events(
        after response: NetworkResponse, in type: AccountType, leadingTo destination: Destination
    ) -> [AccountEvent] {
        var call: [AccountEvent] = [
            .navigation(.opened(type)), .activity(.busy), .call(.began(id: 1, call: type)),
            .call(.ended(id: 1, call: type, code: response.code)),
        ]
        switch response.outcome {
        case .refused(let failures) where !failures.isEmpty:
            let refusals = failures.map { FieldRefusal(field: $0.field, code: $0.code) }
            call.append(.call(.refused(id: 1, call: type, .answers(refusals))))
        case .throttled(let retryAfter):
            call.append(.call(.refused(id: 1, call: type, .throttled(retryAfter: retryAfter))))
        case .success, .mustChangePassword, .refused, .unavailable: break
        }
        call.append(.activity(.idle))
        if type == .deleteAccount, response.outcome == .success { call.append(.session(.ended(account: nil))) }
        switch destination {
        case .stay, .back, .ignored: return call
        case .push(let next), .replace(let next): return call + [.navigation(.moved(from: type, to: next, .answer))]
        case .signedIn: return call + [.session(.began(account: nil))]
        }
    }
}

extension Destination {
    /// The name of the destination in the tables.
    fileprivate var name: String {
        switch self {
        case .stay: "stay"
        case .back: "back"
        case .push(let type): "push " + type.rawValue
        case .replace(let type): "replace " + type.rawValue
        case .signedIn: "signedIn"
        case .ignored: "ignored"
        }
    }
}
