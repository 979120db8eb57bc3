import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyProvisioning

extension ToolFailure {
    /// The numbers of created, updated, skipped and refused rows of an import.
    package struct RowCounts: Sendable {
        var created = 0
        /// The number of created accounts without a password, whose owners must use a recovery code.
        var withoutPassword = 0
        var updated = 0
        var unchanged = 0
        var skipped = 0
        var refused = 0
        /// The value of `--on-conflict` with which to continue the import after an interruption.
        var choiceToContinue = ConflictChoice.skip

        /// Whether no account was written and none was found to be up to date.
        var isEmpty: Bool { created + updated + skipped == 0 }
    }

    /// The work that was completed before a failure.
    package enum Progress: Sendable {
        case rows(RowCounts)
        case changes(Int)
    }

    /// The additional members of `--json`, after the code and the sentence.
    var members: [(key: String, value: JSONValue)] {
        switch self {
        case .response(let response, _):
            var members: [(key: String, value: JSONValue)] = []
            if let failed = response.failedLogins { members.append(("failed_logins", failed.json)) }
            if let seconds = response.secondsToWait { members.append(("retry_after", .integer(seconds))) }
            return members
        case .settingsRefused(_, let settings): return [("settings", settings)]
        case .importRefused(let counts, let errors), .importRefusedDry(let counts, let errors),
            .importRefusedSome(let counts, let errors):
            return counts.members + [("errors", errors)]
        case .importInterrupted(let counts, _), .importInterruptedEarly(let counts, _): return counts.members
        case .applyRefused(_, let errors): return [("errors", errors)]
        case .applyInterrupted(let done, _, _): return Progress.changes(done).members
        case .stopped(let progress, let failure): return failure.members + progress.members
        case .mailUndelivered(let messages, let work):
            return work + [("messages_failed", .integer(messages.count)), ("reason", .string(messages.reason))]
        case .auditUnsound(let finding):
            return finding.sequence.map { [("sequence", .integer(Int($0)))] } ?? []
        default: return []
        }
    }
}

extension ToolFailure.RowCounts {
    var members: [(key: String, value: JSONValue)] {
        [
            ("created", .integer(created)), ("updated", .integer(updated)), ("unchanged", .integer(unchanged)),
            ("skipped", .integer(skipped)), ("refused", .integer(refused)),
            ("without_password", .integer(withoutPassword)),
        ]
    }

    /// The counts for a sentence, which does not distinguish skipped rows from unchanged rows.
    var values: [String: RuleFailure.Value] {
        [
            "created": .integer(created), "updated": .integer(updated), "skipped": .integer(skipped + unchanged),
            "choice": .text(choiceToContinue.rawValue),
            "refused": .integer(refused),
        ]
    }
}

extension ToolFailure.Progress {
    /// Whether no work was completed.
    var isEmpty: Bool {
        switch self {
        case .rows(let counts): counts.isEmpty
        case .changes(let count): count == 0
        }
    }

    var members: [(key: String, value: JSONValue)] {
        switch self {
        case .rows(let counts): counts.members
        case .changes(let count): [("changes", .integer(count))]
        }
    }
}
