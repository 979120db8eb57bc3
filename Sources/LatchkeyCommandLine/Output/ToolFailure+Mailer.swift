import LatchkeyAccounts
import LatchkeyForms

extension ToolFailure {
    /// A message that could not be handed over.
    init(_ error: MailerError) {
        switch error {
        case .system(let code): self.init(.inputOutput, "mailer_failed", ["code": .integer(Int(code))])
        case .folder(let error, let path): self.init(error, at: path)
        case .missing(let program): self.init(.unavailable, "mailer_missing", ["program": .text(program)])
        case .exited(let status): self.init(.unavailable, "mailer_exited", ["status": .integer(Int(status))])
        case .killed(let signal): self.init(.unavailable, "mailer_killed", ["signal": .integer(Int(signal))])
        case .timedOut: self.init(.unavailable, "mailer_slow")
        }
    }
}
