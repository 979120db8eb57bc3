package import LatchkeyForms

extension ModuleSentences {
    /// The sentences about responses and finished flows.
    package static let flows = ModuleSentences("flows", english: englishFlows)

    private static let englishFlows: [String: String] = [
        // Responses by code
        "response.success": "Done",
        "response.code_sent": "A code is on its way to the e-mail address you gave",
        "response.enrolment_started": "Add the account to your authenticator app, then enter the code that it shows",
        "response.password_reset": "Password changed. Log in with the new one",
        "response.invalid_code": "The code was refused",
        "response.reauthentication_required": "Log in again first: this needs a recent login",
        "response.invalid_credentials": "Wrong username or password",
        "response.change_required": "You must change your password first",
        "response.second_factor_required": "Enter a code too: from your authenticator app, or one that you saved",
        "response.enrolment_required": "This service requires a second factor. Set it up first",
        "response.factor_exists": "Your account has an authenticator app. Remove it before you add another",
        "response.taken": "Already in use",
        "response.validation_failed": "Correct the fields below",
        "response.throttled": "Too many attempts. Try again in {seconds} s",
        "response.internal": "Something went wrong inside Latchkey. Nothing was changed",
        "response.unavailable": "Not available right now. Nothing was changed",
        "response.storage_failed": "The store could not be read or written. Nothing was changed",
        "response.no_memory": "The system is out of memory. Nothing was changed",
        "response.no_randomness": "The system provides no random bytes. Nothing was changed",
        "response.blocklist_unusable":
            "Passwords cannot be set, because a list of common passwords is damaged or unreadable. Nothing was changed",
        "response.store_full": "The disk is full. Nothing was changed",
        "response.store_read_only": "The store is read-only. Nothing was changed",
        "response.store_corrupt": "The store is damaged. Nothing was changed",
        "response.no_session": "You are not logged in",

        // Messages after a finished flow
        "done.login": "Logged in as {username}",
        "done.setup": "Account {username} created",
        "done.forgotPassword": "If that account exists, a code is on its way to {email_field}",
        "done.resetPassword": "Password changed. Log in with the new one",
        "done.changePassword": "Password changed",
        "done.profile": "Saved",
        "done.deleteAccount": "Account deleted",
        "done.reauthenticate": "Password confirmed",
        "done.secondFactor": "Logged in as {username}",
        "done.addFactor": "Your authenticator app is set up",
        "factor.saved_codes":
            "Save these codes where your device is not. Each works once, in place of your authenticator app or passkey",
        "factor.key": "Key: {key}",
        "factor.uri": "URI: {uri}",
        "notice.outbox": "No mailer is set up, so the message is in {path}",
        "notice.failed_logins": "{count} failed logins since your last visit (latest {time})",
        "notice.failed_logins.one": "1 failed login since your last visit ({time})",
    ]
}
