package import LatchkeyForms

extension ModuleSentences {
    /// The messages to account owners. Each has a subject, a body, and a closing or an ending.
    ///
    /// A code is on its own line after the text, so that no translation can omit it.
    package static let accounts = ModuleSentences("accounts", english: englishAccounts)

    private static let englishAccounts: [String: String] = [
        // With a link and a code, or with a code alone
        "mail.recovery.subject": "Set a new password for {service}",
        "mail.recovery.text": "We received a request to set a new password for your {service} account.",
        "mail.recovery.closing":
            "It works once and expires after {lifetime}. If you did not ask for it, ignore this message: nothing "
            + "changes.",
        "mail.operator_code.subject": "Set a new password for {service}",
        "mail.operator_code.text": "An operator of {service} lets you set a new password for your account.",
        "mail.operator_code.closing":
            "It works once and expires after {lifetime}. If you did not ask for it, ignore this message: nothing "
            + "changes.",
        "mail.sign_up.subject": "Confirm your address for {service}",
        "mail.sign_up.text": "We received a request to create an account at {service} with this address.",
        "mail.sign_up_again.subject": "Your {service} account",
        "mail.sign_up_again.text":
            "We received a request to create an account at {service} with this address, which has one already. If that "
            + "was you, log in, or set a new password.",
        "mail.sign_up_again.closing":
            "It works once and expires after {lifetime}. If you did not ask for it, ignore this message: nothing has "
            + "changed.",
        "mail.sign_up.closing":
            "It works once and expires after {lifetime}. If you did not ask for it, ignore this message: no account is "
            + "created.",
        "mail.confirmation.subject": "Confirm your address for {service}",
        "mail.confirmation.text": "We received a request to use this address for an account at {service}.",
        "mail.confirmation.closing":
            "It works once and expires after {lifetime}. If you did not ask for it, ignore this message: nothing "
            + "changes.",
        "mail.link": "Open this link:",
        "mail.code": "Your code is",
        "mail.code_instead": "Or enter this code:",
        "mail.invitation.subject": "Your invitation to {service}",
        "mail.invitation.text": "An operator of {service} invites you to create an account. Open this link:",
        "mail.invitation.closing":
            "It works once and expires after {lifetime}. If you do not want an account, ignore this message.",

        // After a change
        "mail.email_changed.subject": "The e-mail address of your {service} account was changed",
        "mail.email_changed.text":
            "Your {service} account has a new e-mail address. This message goes to the old and the new address.",
        "mail.email_changed.end": "If you did not do this, contact the operator of {service}.",
        "mail.address_taken.subject": "Your {service} account",
        "mail.address_taken.text":
            "Another {service} account asked to use this e-mail address, which belongs to your account. Nothing has "
            + "changed.",
        "mail.address_taken.end":
            "If you did not ask for it, ignore this message. If you did, change the address of this account first.",
        "mail.account_deleted.subject": "Your {service} account was deleted",
        "mail.account_deleted.text":
            "Your {service} account and all its data were deleted, as confirmed with your password.",
        "mail.account_deleted.end": "If you did not do this, contact the operator of {service}.",
        "mail.welcome.subject": "Welcome to {service}",
        "mail.welcome.text":
            "Your {service} account is ready. From now on, you log in with the password that you have set.",
        "mail.welcome.end": "If you did not do this, contact the operator of {service}.",
        "mail.password_changed.subject": "Your {service} password was changed",
        "mail.password_changed.text":
            "The password of your {service} account was changed. You were logged out everywhere.",
        "mail.password_changed.end":
            "If you did not do this, recover your account now and contact the operator of {service}.",
        "mail.password_reset.subject": "Your {service} password was changed",
        "mail.password_reset.text":
            "The password of your {service} account was reset with a recovery code. You were logged out everywhere.",
        "mail.password_reset.end":
            "If you did not do this, recover your account now and contact the operator of {service}.",
        "mail.password_set.subject": "Your {service} password was changed",
        "mail.password_set.text":
            "An operator of {service} set a new password for your account. You were logged out everywhere.",
        "mail.password_set.end":
            "If you did not ask for this, recover your account now and contact the operator of {service}.",
        "mail.factor_added.subject": "Your {service} account has a second factor",
        "mail.factor_added.text":
            "An authenticator app was added to your {service} account. From now on, a login asks for a code.",
        "mail.factor_added.end": "If you did not do this, contact the operator of {service}.",
        "mail.factor_removed.subject": "Your {service} account has no second factor any more",
        "mail.factor_removed.text":
            "The authenticator app was removed from your {service} account. Its saved codes no longer work.",
        "mail.factor_removed.end":
            "If you did not do this, change your password now and contact the operator of {service}.",
        "mail.passkey_added.subject": "Your {service} account has a new passkey",
        "mail.passkey_added.text":
            "A passkey was added to your {service} account. From now on, a login needs it or another second factor.",
        "mail.passkey_added.end": "If you did not do this, contact the operator of {service} immediately.",
        "mail.passkey_removed.subject": "A passkey of your {service} account was removed",
        "mail.passkey_removed.text": "A passkey was removed from your {service} account. It no longer works.",
        "mail.passkey_removed.end":
            "If you did not remove it, change your password now and contact the operator of {service}.",
        "mail.factors_reset.subject": "Your {service} account has no second factor any more",
        "mail.factors_reset.text":
            "An operator of {service} removed the second factor of your account. You were logged out everywhere.",
        "mail.factors_reset.end":
            "If you did not ask for this, change your password now and contact the operator of {service}.",
        "mail.app_password_added.subject": "Your {service} account has a new app password",
        "mail.app_password_added.text":
            "An app password was created for your {service} account. With it, a program such as a mail client can log in "
            + "without a second factor.",
        "mail.app_password_added.end":
            "If you did not do this, change your password now, revoke the app password and contact the operator of "
            + "{service}.",
        "mail.test.subject": "Test message from {service}",
        "mail.test.text": "E-mail from {service} reaches this address.",
        "time.now": "just now",
        "time.minutes": "{count} min ago",
        "time.hours": "{count} hours ago",
        "time.hours.one": "1 hour ago",
        "time.days": "{count} days ago",
        "time.days.one": "1 day ago",
        "time.months": "{count} months ago",
        "time.months.one": "1 month ago",
        "time.years": "{count} years ago",
        "time.years.one": "1 year ago",
        "time.in_minutes": "in {count} min",
        "time.in_hours": "in {count} hours",
        "time.in_hours.one": "in 1 hour",
        "time.in_days": "in {count} days",
        "time.in_days.one": "in 1 day",
        "time.in_months": "in {count} months",
        "time.in_months.one": "in 1 month",
        "time.in_years": "in {count} years",
        "time.in_years.one": "in 1 year",
    ]
}
