import LatchkeyAccounts
import LatchkeyForms

extension CommandSpec {
    static let accountsCreate = CommandSpec(
        words: ["accounts", "create"], summary: "make an account for somebody",
        about:
            "Makes an account on somebody's behalf. NAME is its username; its other fields are those of the set-up form."
            + " The store is made where there is none.",
        operand: Operand(name: "NAME", isRequired: true), form: .flow(.setup), operandField: .username,
        flags: [
            FlagSpec("no-password", "no password: the owner has to recover the account first"),
            FlagSpec("generate", "a password that nobody chose, printed once; to be changed within a day"),
            FlagSpec("password-hash-stdin", "in the place of a password, its hash: one line of standard input"),
            FlagSpec("password-hash-file", value: "PATH", "the same, the first line of a file"),
            FlagSpec("password-hash-fd", value: "N", "the same, one line of an open descriptor"),
            FlagSpec("require-change", "the owner must choose another password at the first login"),
            FlagSpec("id", value: "UUID", "the id that the account is to have, such as the one it has elsewhere"),
        ],
        hashesPasswords: true,
        statuses: [.done, .data, .exists, .temporary] + ExitStatus.ofStores,
        examples: [
            "printf '%s\\n' 'correct horse battery'"
                + " | latchkey accounts create ada --email ada@example.org --password-stdin",
            "latchkey accounts create ada --email ada@example.org --no-password",
            "latchkey accounts create ada --email ada@example.org --generate",
        ]
    ) { (context) async throws(ToolFailure) in
        try await AccountCreation(context: context).perform()
    }

    static let accountsShow = CommandSpec(
        words: ["accounts", "show"], summary: "what is kept of an account",
        about: "Shows an account. NAME is a username, an e-mail address or an id.",
        operand: Operand(name: "NAME", isRequired: true),
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts show ada", "latchkey accounts show ada@example.org --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let account = try await installation.account(named: context.operand)
        let throttle = try await installation.asking { (service) async throws(AccountError) in
            try await service.throttle(of: .id(account.id))
        }
        try context.output.details(of: account, throttle, context.messages)
    }

    static let accountsUpdate = CommandSpec(
        words: ["accounts", "update"], summary: "change what is kept of an account",
        about:
            "Changes what flags give, judged as in set-up, and leaves the rest; an empty value removes what is kept. NAME is"
            + " a username, an e-mail address or an id, and --username another name. A new address is used at once;"
            + " it is told, and so is the old one. Sessions stay. Without flags, a terminal shows what is kept, to be changed."
            + " For the password see accounts set-password.",
        operand: Operand(name: "NAME", isRequired: true), form: .flow(.setup), leavesOutSecrets: true,
        statuses: [.done, .no, .data, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts update ada --email ada@new.example",
            "latchkey accounts update ada@example.org --username countess --json",
        ]
    ) { (context) async throws(ToolFailure) in
        try await AccountUpdating(context: context).perform()
    }

    static let accountsList = CommandSpec(
        words: ["accounts", "list"], summary: "accounts, all or some",
        about:
            "Lists accounts in the order of their usernames; with --json one object a line. However many there are, it"
            + " takes no more memory, and others can write meanwhile.",
        flags: [
            FlagSpec(
                "state", value: "STATE", of: .oneOf(AccountFilter.State.allCases.map(\.rawValue)),
                "those that are " + AccountFilter.State.allCases.map(\.rawValue).joined(separator: ", ")),
            FlagSpec("match", value: "TEXT", "those of which the username or the e-mail address has TEXT in it"),
            FlagSpec("after", value: "NAME", "those that stand behind this username, whether or not there is one"),
            FlagSpec("limit", value: "N", "the first N of them"),
        ],
        statuses: [.done] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts list", "latchkey accounts list --state disabled --match @example.org --json",
            "latchkey accounts list --after ada --limit 100",
        ]
    ) { (context) async throws(ToolFailure) in
        try await AccountListing(context: context).perform()
    }

    static let accountsDelete = CommandSpec(
        words: ["accounts", "delete"], summary: "remove an account and all that is kept of it",
        about: "Removes an account with its sessions and codes. NAME is a username, an e-mail address or an id."
            + " A terminal asks for the username first; elsewhere --yes is needed.",
        operand: Operand(name: "NAME", isRequired: true), flags: [FlagSpec("yes", "do not ask")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts delete ada", "latchkey accounts delete ada --yes"]
    ) { (context) async throws(ToolFailure) in
        try await AccountDeletion(context: context).perform()
    }
}
