package import LatchkeyForms

extension ModuleSentences {
    /// The sentences of `policy show` and `policy test`, in English only.
    package static let policy = ModuleSentences("policy", isTranslated: false, english: englishPolicy)

    private static let englishPolicy: [String: String] = [
        "policy.title": "Policy {name}",
        "policy.meets": "This policy meets NIST SP 800-63B-4 for a password as the only factor.",
        "policy.departs": "This policy does not meet NIST SP 800-63B-4. The policy nist does.",
        "policy.departure": "departs from NIST SP 800-63B-4, section {section}: {nist}",
        "policy.minimum_length": "A new password has at least {value} code points",
        "policy.minimum_length_with_factor":
            "With an authenticator app, a new password has at least {value} code points",
        "policy.minimum_length.required": "at least {required} where the password is the only factor",
        "policy.maximum_bytes": "A password has at most {value} bytes and is never truncated",
        "policy.common_passwords":
            "A new password is not on a list of common ones and not derived from its owner's data",
        "policy.composition": "No character types are required, and passwords do not expire with age",
        "policy.longest_delay": "After failed logins, the next attempt waits for up to {value}",
        "policy.failures_until_recovery": "After {value} failed logins, the account must be recovered",
        "policy.failures_until_recovery.none": "Failed logins never disable the password",
        "policy.failures_until_recovery.required": "at most {required} failures in a row before recovery is needed",
        "policy.guesses_in_30_days":
            "An attacker who never pauses gets at most {value} guesses at an account in 30 days",
        "policy.session_absolute": "A session ends after {value}",
        "policy.session_idle": "A session ends after {value} without use",
        "policy.sessions_per_account": "An account has at most {value} sessions",
        "policy.sessions_on_disk": "A session of the command line is not stored on disk",
        "policy.sessions_on_disk.on": "Command-line sessions are stored in the user's state folder",
        "policy.sessions_on_disk.nist": "a session secret should not outlive the use of the machine",
        "policy.reauthentication": "Changes to your own account need a login within the last {value}",
        "policy.recovery_code": "A recovery code expires after {value}",
        "policy.operator_code": "A recovery code created by an operator expires after {value}",
        "policy.operator_password": "A password set by an operator must be changed only if the operator requires it",
        "policy.operator_password.on": "A password set by an operator must be changed at the first login",
        "policy.generated_password_bits": "A generated password has {value} random bits and must be changed",
        "policy.generated_password": "A generated password expires after {value}",
        "policy.passed": "The policy {name} accepts this password",
        "policy.ask": "Test a password",
        "policy.submit": "Test",
    ]
}
