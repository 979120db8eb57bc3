extension MessageTable {
    /// What messages to owners say: in each a subject and a text, and what stands behind the code or at the end.
    ///
    /// Where there is a code, it stands alone on its line behind the text, whatever the sentences are.
    static let englishMail: [String: String] = [
        // With a code
        "mail.recovery.subject": "Your {service} recovery code",
        "mail.recovery.text": "Somebody, perhaps you, asked to recover your {service} account. The code is",
        "mail.recovery.end":
            "It works once, for ten minutes. If it was not you who asked, do nothing: without the code nothing changes.",
        "mail.operator_code.subject": "Your {service} recovery code",
        "mail.operator_code.text":
            "Whoever runs {service} made a code for you to set a new password with. The code is",
        "mail.operator_code.end":
            "It works once, for a day. If it was not you who asked, do nothing: without the code nothing changes.",
        "mail.sign_up.subject": "Your {service} sign-up code",
        "mail.sign_up.text":
            "Somebody, perhaps you, signed up to {service} with this address. The code is",
        "mail.sign_up.end":
            "It works once, for ten minutes. If it was not you who asked, do nothing: without the code nothing changes.",
        "mail.confirmation.subject": "Your {service} confirmation code",
        "mail.confirmation.text":
            "Somebody, perhaps you, wants to use this address for their {service} account. The code is",
        "mail.confirmation.end":
            "It works once, for ten minutes. If it was not you who asked, do nothing: without the code nothing changes.",

        // Of what has happened
        "mail.email_changed.subject": "The address of your {service} account was changed",
        "mail.email_changed.text":
            "Your {service} account has another e-mail address now. This message goes to the old one and to the new one.",
        "mail.email_changed.end": "If it was not you, tell whoever runs {service}.",
        "mail.account_deleted.subject": "Your {service} account was deleted",
        "mail.account_deleted.text":
            "Your {service} account and all that was kept of it was deleted, as its owner asked with the password.",
        "mail.account_deleted.end": "If it was not you, tell whoever runs {service}.",
        "mail.password_changed.subject": "Your {service} password was changed",
        "mail.password_changed.text":
            "The password of your {service} account was changed, and all of its sessions were ended.",
        "mail.password_changed.end": "If it was not you, recover the account now and tell whoever runs {service}.",
        "mail.password_reset.subject": "Your {service} password was changed",
        "mail.password_reset.text":
            "The password of your {service} account was reset with a recovery code, and all of its sessions were ended.",
        "mail.password_reset.end": "If it was not you, recover the account now and tell whoever runs {service}.",
        "mail.password_set.subject": "Your {service} password was changed",
        "mail.password_set.text":
            "The password of your {service} account was set by whoever runs {service}, and all of its sessions were ended.",
        "mail.password_set.end": "If it was not you, recover the account now and tell whoever runs {service}.",
        "mail.test.subject": "A test message from {service}",
        "mail.test.text": "Messages from {service} arrive here.",
    ]
}
