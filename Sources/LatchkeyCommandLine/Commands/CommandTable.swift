import LatchkeyForms

/// Every command. The parser, the help and the list of commands are made from this.
enum CommandTable {
    static let all: [CommandSpec] = [
        .front,
        .flow(
            .login, summary: "log in",
            about: "Logs in with a username or e-mail address and a password, and keeps the session for this user."
                + " With --batch it judges many, each as a login of its own, and signs nobody in.",
            statuses: [.no, .data, .temporary],
            examples: [
                "latchkey login",
                "printf '%s\\n' 'correct horse battery' | latchkey login --username ada --password-stdin",
                "latchkey login --batch logins.jsonl --jobs 2 --json",
            ],
            flags: [
                FlagSpec("no-rehash", "leave the stored hash as it is, though new ones are other"),
                FlagSpec("allow-downgrade", "make the stored hash anew though new ones are cheaper"),
                FlagSpec(
                    "batch", value: "FILE", "judge each line {\"username\":…,\"password\":…}; - is standard input"),
                FlagSpec("jobs", value: "N", "how many lines are judged at once, 1 to 64; 1 by default"),
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
        .flow(
            .profile, summary: "look at one's account and change it",
            about:
                "Shows what is kept of the account that is signed in, and changes it. What no flag gives stays as it is."
                + " A new address is used after a code that was sent to it has come back (--code-stdin)."
                + " It wants a password given within the last 5 minutes: a terminal asks for it, a script logs in again first.",
            statuses: [.no, .data, .exists, .temporary],
            examples: [
                "latchkey profile", "latchkey profile --email ada@new.example",
                "printf '%s\\n' \"$CODE\" | latchkey profile --code-stdin",
            ]),
        .flow(
            .deleteAccount, summary: "remove the account that is signed in",
            about: "Removes the account with the password, and all that is kept of it. The address is told.",
            statuses: [.no, .data, .temporary],
            examples: [
                "latchkey delete-account",
                "printf '%s\\n' 'correct horse battery' | latchkey delete-account --current-password-stdin",
            ]),
        .logout,
        .whoami,
        .run,
        .checkpassword,
        .group(
            "sessions", summary: "sessions, one's own and others'",
            about: "Lists sessions, ends them, and tells whose one is."),
        .sessionsList,
        .sessionsRevoke,
        .sessionsVerify,
        .group("accounts", summary: "administration of accounts", about: "Makes, shows, lists and removes accounts."),
        .accountsCreate,
        .accountsShow,
        .accountsList,
        .accountsUpdate,
        .accountsImport,
        .accountsExport,
        .accountsApply,
        .accountsDelete,
        .accountsDisable,
        .accountsEnable,
        .accountsUnlock,
        .accountsRequireChange,
        .accountsSetPassword,
        .accountsRecover,
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
        .metrics,
        .group(
            "policy", summary: "what is asked of passwords", about: "Shows the policy in force, and tries passwords."),
        .policyShow,
        .policyTest,
        .group("blocklist", summary: "refused passwords", about: "Adds to the passwords that nobody may set."),
        .blocklistImport,
        .group("mailer", summary: "the delivery of messages", about: "Tries whether messages arrive."),
        .mailerTest,
        .group(
            "forms", summary: "the forms in force", about: "Lists, shows, checks and tries the descriptions of forms."),
        .formsList,
        .formsShow,
        .formsCheck,
        .formsTry,
        .validate,
        .replay,
        .group("hash", summary: "password hashes", about: "Measures, inspects and counts password hashes."),
        .hashCalibrate,
        .hashInspect,
        .hashReport,
        .hashVerify,
        .group("pepper", summary: "keys that seal the stored hashes", about: "Makes, rotates and retires such keys."),
        .pepperAdd,
        .pepperRotate,
        .pepperStatus,
        .pepperRetire,
        .group("config", summary: "the settings", about: "Shows the settings in force."),
        .configShow,
        .completions,
        .manual,
    ]
}
