package import LatchkeyForms

extension ModuleSentences {
    /// The sentences of pages.
    package static let web = ModuleSentences("web", english: english, portuguese: portuguese)

    private static let english = [
        "web.account": "Your account",
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
        "web.no": "no",
        "web.optional": "optional",
        "web.ready": "You can try again now",
        "web.sessions": "Active sessions",
        "web.show": "Show",
        "web.this_session": "This session",
        "web.used": "Last used {time}",
        "web.wait": "You can try again in {seconds} s",
        "web.when": "Only if {field} is {values}",
        "web.yes": "yes",
    ]
}
