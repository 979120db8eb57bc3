import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// A run of the flows on the main actor, with its events.
@MainActor final class Journey {
    let networking: ScriptedNetworking
    private let stream: EventFeed<AccountEvent>
    private var current: AccountCoordinator?

    var coordinator: AccountCoordinator {
        get throws {
            guard let current else { throw Ended() }
            return current
        }
    }

    struct Ended: Error {}

    init(
        opening first: AccountType, until goal: Goal = .signedIn, answers: [NetworkResponse] = [],
        over networking: ScriptedNetworking? = nil
    ) throws {
        self.networking = networking ?? ScriptedNetworking(answers)
        let dependency = AppDependency(networking: self.networking, forms: try FormCatalogue.shipped) { .login }
        stream = dependency.events.events(limit: 100_000)
        current = AccountCoordinator(dependency: dependency, opening: first, until: goal)
    }

    /// Submits the form on screen.
    func submit(_ type: AccountType? = nil) async throws -> (Destination, NetworkResponse?) {
        let coordinator = try coordinator
        return await coordinator.userProvidedValidated(
            credentials: Credentials([:]), type: type ?? coordinator.responder ?? .login)
    }

    /// Every event, in order. This ends the journey and releases its coordinator and stream.
    func events() async -> [AccountEvent] {
        weak let kept = current
        current = nil
        guard kept == nil else {
            Issue.record("a test keeps the coordinator, and the stream would never end")
            return []
        }
        var events: [AccountEvent] = []
        for await heard in stream {
            guard let event = heard.event else {
                Issue.record("events were missed")
                continue
            }
            events.append(event)
        }
        return events
    }
}

extension NetworkResponse {
    /// One response of each kind, by its name in the tables.
    static let samples: [String: NetworkResponse] = [
        "success": .success(), "change_required": .changeRequired(), "refused": .refused(.invalidCredentials),
        "refused_with_failures": .refused(.validationFailed, [RuleFailure(code: .recovery, field: .code)]),
        "taken": .refused(.taken, [RuleFailure(code: .taken, field: .username)]),
        "throttled": .throttled(retryAfter: .seconds(27)), "unavailable": .unavailable(),
        "storage_failed": .unavailable(.storageFailed), "internal": .unavailable(.internal),
        "no_session": .refused(.noSession), "no_memory": .unavailable(.noMemory),
        "no_randomness": .unavailable(.noRandomness), "store_full": .unavailable(.storeFull),
        "store_read_only": .unavailable(.storeReadOnly), "store_corrupt": .unavailable(.storeCorrupt),
        "blocklist_unusable": .unavailable(.blocklistUnusable),
        "second_factor_required": .refused(.factorRequired), "enrolment_required": .refused(.enrolmentRequired),
        "factor_exists": .refused(.factorExists), "password_reset": .passwordReset,
        "invalid_code": .refused(.invalidCode, [RuleFailure(code: .secondFactor, field: .code)]),
        "enrolment_started": .enrolmentStarted(
            .authenticator(uri: Secret("otpauth://totp/canary"), secret: Secret("CANARY"))),
        "code_sent": .codeSent(), "reauthentication_required": .refused(.reauthenticationRequired),
    ]
}
