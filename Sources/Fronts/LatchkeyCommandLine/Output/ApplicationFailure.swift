package import LatchkeyAccounts
import LatchkeyForms

/// The reason why a command about applications or signing keys failed.
package enum ApplicationFailure: Sendable {
    case unknown(id: String)
    case exists(id: String)
    case badID(id: String)
    case tooMany(maximum: Int)
    case twoSecrets(id: String)
    case oneSecret(id: String)
    case isPublic(id: String)
    case unknownSetting(name: String)
    case hasSecret(id: String)
    case unknownSettingSuggestion(name: String, nearest: String)
    case badSetting(name: String, problem: String)
    case unknownKey(id: String)
    /// An application that gets no access to an account.
    case noAccess(id: String, account: String, AccessRefusal)
    /// The problems of a file with applications, each with its place.
    case fileRefused(count: Int)

    /// - Parameter name: names a setting in messages.
    init(
        _ refusal: AccountService.ClientRefusal, _ id: String, naming name: (String) -> String = ApplicationFlags.name
    ) throws(ToolFailure) {
        switch refusal {
        case .unknown: self = .unknown(id: id)
        case .exists: self = .exists(id: id)
        case .tooMany: self = .tooMany(maximum: AccountService.maximumClients)
        case .hasTwoSecrets: self = .twoSecrets(id: id)
        case .hasOneSecret: self = .oneSecret(id: id)
        case .isPublic: self = .isPublic(id: id)
        case .hasSecret: self = .hasSecret(id: id)
        case .badID: self = .badID(id: id)
        case .unreadable(let failure): self.init(failure, naming: name)
        case .refused(let problem): self.init(problem, naming: name)
        case .failed(let error): throw ToolFailure(error)
        }
    }

    /// - Parameter name: names a setting in messages.
    init(_ problem: ClientSettings.Problem, naming name: (String) -> String) {
        self = .badSetting(name: name(problem.setting), problem: problem.predicate(naming: name))
    }

    init(_ failure: ClientSettingsFailure, naming name: (String) -> String) {
        switch failure {
        case .notAnObject: self = .badSetting(name: "An application", problem: "must be an object")
        case .missing(let key): self = .badSetting(name: name(key), problem: "is missing")
        case .badValue(let key, let problem): self = .badSetting(name: name(key), problem: problem)
        case .unknownKey(let key):
            let known = ClientSettings.keys + ["client_id", "secret_file", "disabled"]
            if let nearest = Suggestion.nearest(to: key, among: known) {
                self = .unknownSettingSuggestion(name: key, nearest: nearest)
            } else {
                self = .unknownSetting(name: key)
            }
        }
    }

    /// The `status` in `--json`, as the API gives it; nil for that of the exit status.
    var httpStatus: Int? {
        switch self {
        case .tooMany, .twoSecrets, .oneSecret, .isPublic, .hasSecret: 409
        case .noAccess: 403
        case .unknown, .exists, .badID, .unknownSetting, .unknownSettingSuggestion, .badSetting, .unknownKey,
            .fileRefused:
            nil
        }
    }

    var entry: ToolFailure.Entry {
        switch self {
        case .unknown(let id): .init(.no, "no_such_application", ["id": .text(id)])
        case .exists(let id): .init(.exists, "application_exists", ["id": .text(id)])
        case .badID(let id): .init(.usage, "bad_application_id", ["id": .text(id)])
        case .tooMany(let maximum): .init(.no, "too_many_applications", ["maximum": .integer(maximum)])
        case .twoSecrets(let id): .init(.no, "application_two_secrets", ["id": .text(id)])
        case .oneSecret(let id): .init(.no, "application_one_secret", ["id": .text(id)])
        case .isPublic(let id): .init(.no, "application_public", ["id": .text(id)])
        case .hasSecret(let id): .init(.no, "application_has_secret", ["id": .text(id)])
        case .unknownSetting(let name): .init(.data, "unknown_application_setting", ["name": .text(name)])
        case .unknownSettingSuggestion(let name, let nearest):
            .init(
                .data, "unknown_application_setting_suggestion", ["name": .text(name), "nearest": .text(nearest)])
        case .badSetting(let name, let problem):
            .init(.data, "bad_application_setting", ["name": .text(name), "problem": .text(problem)])
        case .unknownKey(let id): .init(.no, "no_such_signing_key", ["id": .text(id)])
        case .noAccess(let id, let account, let refusal):
            .init(.no, refusal.failureCode, ["id": .text(id), "username": .text(account)])
        case .fileRefused(let count): .init(.data, "applications_refused", ["count": .integer(count)])
        }
    }
}

extension AccessRefusal {
    fileprivate var failureCode: String {
        switch self {
        case .clientDisabled: "no_access_disabled"
        case .accountDisabled: "no_access_account"
        case .accountUnverified: "no_access_unverified"
        case .passwordChangeNeeded: "no_access_password"
        case .notInGroup: "no_access_group"
        case .levelTooLow: "no_access_level"
        case .grantNotAllowed: "no_access_grant"
        case .sessionEnded: "no_access_session"
        }
    }
}
