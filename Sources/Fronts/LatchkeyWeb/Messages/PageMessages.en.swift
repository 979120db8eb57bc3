package import LatchkeyForms

extension ModuleSentences {
    /// The sentences of the pages.
    package static let web = ModuleSentences("web", english: english, portuguese: portuguese)

    private static let english = [
        "web.account": "Your account",
        "web.add_factor": "Set up an authenticator app",
        "web.add_factor_explained":
            "You need an app for one-time passwords on your phone or computer. The next page shows a QR code for it.",
        "web.back": "Back to your account",
        "web.change_password": "Change password",
        "web.delete_account": "Delete account",
        "web.delete_explained": "This removes the account and everything stored for it. It cannot be undone.",
        "web.edit_profile": "Edit profile",
        "web.end": "End",
        "web.end_of": "End the session of {device}",
        "web.end_others": "End all other sessions",
        "web.hide": "Hide",
        "web.links": "More",
        "web.log_out": "Log out",
        "web.new_codes": "New saved codes",
        "web.no": "no",
        "web.open_app": "Open your authenticator app on this device",
        "web.optional": "optional",
        "web.passkey_add": "Add a passkey",
        "web.passkey_failed": "That did not work. Try again, or use another way",
        "web.passkey_login": "Log in with a passkey",
        "web.passkey_name": "Name of the passkey (optional)",
        "web.passkey_name_help": "To tell your passkeys apart, such as: Phone",
        "web.passkey_remove": "Remove the passkey {name}",
        "web.passkey_use": "Use a passkey",
        "web.passkeys": "Passkeys",
        "web.passkeys_explained": "A passkey logs you in with a fingerprint, a face or a PIN, without a password.",
        "web.qr_code": "QR code for your authenticator app",
        "web.ready": "You can try again now",
        "web.remove": "Remove",
        "web.remove_factor": "Remove the authenticator app",
        "web.saved_codes": "Save these codes",
        "web.saved_codes_done": "I have saved them",
        "web.saved_codes_explained":
            "Each code works once, in place of your app or passkey. Save them where your device is not. They are not shown again.",
        "web.second_factor": "Second factor",
        "web.second_factor_explained":
            "With an authenticator app, someone who learns your password still cannot log in.",
        "web.sessions": "Active sessions",
        "web.show": "Show",
        "web.start_again": "Show a new QR code",
        "web.this_session": "This session",
        "web.type_key": "Or type this key into the app:",
        "web.used": "Last used {time}",
        "web.wait": "You can try again in {seconds} s",
        "web.when": "Only if {field} is {values}",
        "web.yes": "yes",
    ]
}
