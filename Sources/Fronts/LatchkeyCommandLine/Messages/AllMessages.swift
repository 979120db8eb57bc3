import LatchkeyAccounts
import LatchkeyFlows
package import LatchkeyForms
import LatchkeyProvisioning
import LatchkeyTerminal

extension Translation {
    /// The sentences of every module in this language.
    package var allMessages: MessageTable {
        MessageTable(self)
            .completed(by: .flows, .terminal, .accounts, .provisioning, .commandLine, .operators, .policy)
    }

    /// The English sentences that an operator or a translation may replace, with those of the built-in forms.
    static var replaceableMessages: MessageTable { english.allMessages.completed(by: .builtInForms) }
}

extension ModuleSentences {
    /// Codes of earlier versions for which there is no sentence any more.
    ///
    /// A setting for such a code is a warning instead of an error, so that an upgrade does not prevent logins.
    static let retiredCodes: Set<String> = [
        "mail.confirmation.end", "mail.operator_code.end", "mail.recovery.end", "mail.sign_up.end", "menu.delete_name",
        "policy.days", "policy.failures_until_recovery.nist", "policy.hours", "policy.minimum_length.nist",
        "policy.minutes", "policy.seconds", "reauthenticate.label", "reauthenticate.submit", "reauthenticate.title",
        "recording.after_end", "recording.backwards", "recording.cut", "recording.json", "recording.newer",
        "recording.none", "recording.too_long", "recording.unknown", "tool.bad_speed", "tool.bad_group",
        "tool.bad_text",
        "tool.calibrate_target", "tool.flag_needs", "tool.hash_cost", "tool.hash_cost_high", "tool.no_picture",
        "tool.password_generated", "tool.record_without_terminal", "tool.recording_bad", "tool.recording_cut",
        "tool.replay_differs", "tool.replay_narrow", "tool.replay_same", "tool.setting_text", "tool.speed_and_step",
        "web.wait",
    ]
}
