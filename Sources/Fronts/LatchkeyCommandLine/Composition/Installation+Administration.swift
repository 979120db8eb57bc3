import Glibc
package import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem

/// Calls of the service by commands.
extension Installation {
    /// The account with this username, e-mail address or ID.
    ///
    /// - Throws: status 1 if there is no such account.
    func account(named name: String?) async throws(ToolFailure) -> Account {
        try await asking { (service) async throws(AccountError) in
            guard let lookup = name.flatMap(AccountLookup.init) else { throw .noSuchAccount }
            return try await service.account(lookup)
        }
    }

    /// A generated password.
    func newPassword() async throws(ToolFailure) -> Secret {
        try await asking { (service) async throws(AccountError) in try service.newPassword() }
    }

    /// Calls the service for an operator and emits an event for the change. If a call may change nothing, use
    /// ``asking(_:)`` and emit the event separately.
    ///
    /// - Parameter account: the changed account; nil for several or none.
    func administering<Answer: Sendable>(
        _ account: AccountID? = nil, _ call: (AccountService, AuditActor) async throws(AccountError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        let answer = try await asking { (service) async throws(AccountError) in try await call(service, .thisUser) }
        context.tellAdministered(account)
        return answer
    }

    /// Calls the service with an operator's values for `form`. They come from flags, or from a terminal that also shows
    /// which values the service refuses.
    ///
    /// - Parameters:
    ///   - credentials: the values from flags; nil to ask for them in `terminal`.
    ///   - present: the current values of the form's fields, for editing.
    ///   - account: the account to edit; nil for a new account.
    func filling<Answer: Sendable>(
        _ form: Form, _ values: FieldFlags, _ credentials: Credentials?, in terminal: Terminal?,
        present: [FieldKey: FieldValue] = [:], of account: AccountID? = nil,
        _ call: @escaping @Sendable (AccountService, Credentials) async throws(AccountError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        if let credentials {
            return try await asking(about: form) { (service) async throws(AccountError) in
                try await call(service, credentials)
            }
        }
        guard let terminal else { throw .internal }
        let answer = Locked<Answer?>(nil)
        _ = try await terminal.ask(
            form, values, present: present,
            checking: { [service, messages = context.messages] credentials in
                do throws(AccountError) {
                    let done = try await call(service, credentials)
                    answer.withLock { $0 = done }
                    return nil
                } catch {
                    return NetworkResponse(error).alert(in: form, messages)
                }
            },
            fields: { [service, takesReserved = context.takesReservedName] field, value in
                let isTaken = try? await service.isTaken(
                    value, in: field, except: account, takesReserved: takesReserved)
                return isTaken == true ? RuleFailure(code: .taken, field: field) : nil
            })
        guard let answer = answer.withLock({ $0 }) else { throw .internal }
        return answer
    }

    /// Calls the service and converts its error into the failure of the command.
    package func asking<Answer: Sendable>(
        _ call: (AccountService) async throws(AccountError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        do throws(AccountError) {
            return try await withTaskExecutorPreference(storeThread) { () async throws(AccountError) in
                try await call(service)
            }
        } catch {
            throw failure(error)
        }
    }

    /// Calls the service with values of `form`. Each refused field is reported with its flag.
    func asking<Answer: Sendable>(
        about form: Form?, _ call: (AccountService) async throws(AccountError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        do throws(AccountError) {
            return try await call(service)
        } catch {
            switch (error, form) {
            case (.refused, let form?), (.taken, let form?):
                throw ToolFailure(
                    NetworkResponse(error), in: form, context.messages,
                    operand: context.invocation.operandField(of: form))
            default: throw failure(error)
            }
        }
    }

    /// The failure of a command whose service call failed with `error`.
    func failure(_ error: AccountError) -> ToolFailure { ToolFailure(error, at: location) }
}

extension AuditActor {
    /// The user who runs this process.
    package static var thisUser: AuditActor { .operatingSystemUser(geteuid()) }
}
