import LatchkeyForms

/// Every command. The parser, the help and the list of commands are made from this.
enum CommandTable {
    static let all: [CommandSpec] = [
        .front,
        .flow(
            .login, summary: "log in",
            about: "Logs in with a username or e-mail address and a password, and keeps the session for this user.",
            statuses: [.no, .data, .temporary],
            examples: [
                "latchkey login",
                "printf '%s\\n' 'correct horse battery' | latchkey login --username ada --password-stdin",
            ]),
        .flow(
            .setup, summary: "make an account",
            about: "Makes an account of one's own. The store is made where there is none.",
            statuses: [.data, .exists, .temporary],
            examples: [
                "latchkey setup",
                "printf '%s\\n' 'correct horse battery'"
                    + " | latchkey setup --username ada --email ada@example.org --password-stdin",
            ]),
        .flow(
            .forgotPassword, summary: "ask for a code to set a new password",
            about:
                "Sends a code to the account's address, by the outbox beside the store. The answer is the same whether or not there is an account.",
            statuses: [.data],
            examples: ["latchkey forgot-password", "latchkey forgot-password --email ada@example.org"]),
        .flow(
            .resetPassword, summary: "set a new password with a code",
            about: "Sets a new password with the code from the message, and ends every session of the account.",
            statuses: [.data, .temporary],
            examples: [
                "latchkey reset-password",
                "printf '%s\\n' \"$CODE\" 'a new long password' | latchkey reset-password --code-stdin --password-stdin",
            ]),
        .flow(
            .changePassword, summary: "change the password of the account that is signed in",
            about: "Changes the password with the current one, and ends every other session of the account.",
            statuses: [.no, .data, .temporary],
            examples: [
                "latchkey change-password",
                "printf '%s\\n' \"$OLD\" \"$NEW\" | latchkey change-password --current-password-stdin --password-stdin",
            ]),
        .logout,
        .whoami,
        .group("accounts", summary: "administration of accounts", about: "Makes, shows, lists and removes accounts."),
        .accountsCreate,
        .accountsShow,
        .accountsList,
        .accountsDelete,
        .group("audit", summary: "the trail of what happened", about: "Lists, follows and checks the audit trail."),
        .auditList,
        .auditFollow,
        .auditVerify,
        .auditHead,
        .group(
            "store", summary: "the store itself",
            about: "Looks after the store, checks and copies it, and makes one from a copy."),
        .storeMaintain,
        .storeCheck,
        .storeBackup,
        .storeRestore,
        .storeMigrate,
        .group("blocklist", summary: "refused passwords", about: "Adds to the passwords that nobody may set."),
        .blocklistImport,
        .group(
            "forms", summary: "the forms in force", about: "Lists, shows, checks and tries the descriptions of forms."),
        .formsList,
        .formsShow,
        .formsCheck,
        .formsTry,
        .validate,
    ]
}
