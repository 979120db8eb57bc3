import LatchkeyAccounts
import LatchkeyFlows
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
        ],
        statuses: [.done, .data, .exists, .temporary] + ExitStatus.ofStores,
        examples: [
            "printf '%s\\n' 'correct horse battery'"
                + " | latchkey accounts create ada --email ada@example.org --password-stdin",
            "latchkey accounts create ada --email ada@example.org --no-password",
            "latchkey accounts create ada --email ada@example.org --generate",
        ]
    ) { (run) async throws(ToolFailure) in
        try await AccountCreation(run: run).perform()
    }

    static let accountsShow = CommandSpec(
        words: ["accounts", "show"], summary: "what is kept of an account",
        about: "Shows an account. NAME is a username, an e-mail address or an id.",
        operand: Operand(name: "NAME", isRequired: true),
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts show ada", "latchkey accounts show ada@example.org --json"]
    ) { (run) async throws(ToolFailure) in
        let installation = try await Installation.open(run, creating: false, checkingKeys: false)
        let account = try await installation.account(named: run.operand)
        let throttle = try await installation.asking { (service) async throws(AccountError) in
            try await service.throttle(of: .id(account.id))
        }
        try run.output.details(of: account, throttle, run.messages)
    }

    static let accountsList = CommandSpec(
        words: ["accounts", "list"], summary: "every account",
        about: "Lists the accounts in the order of their usernames; with --json one object a line.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey accounts list", "latchkey accounts list --json"]
    ) { (run) async throws(ToolFailure) in
        let installation = try await Installation.open(run, creating: false, checkingKeys: false)
        var last: Username?
        while true {
            let page = try await installation.accounts(after: last)
            for account in page { try run.output.row(of: account) }
            guard let end = page.last else { return }
            last = end.username
        }
    }

    static let accountsLookup = CommandSpec(
        words: ["accounts", "lookup"], summary: "how long it takes to find accounts",
        about: "Looks up each line of a file, a username, an e-mail address or an id, one after the other, and prints"
            + " how many were found and what that took.",
        flags: [FlagSpec("batch", value: "FILE", "the names, a line each; - is standard input")],
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey accounts lookup --batch names", "latchkey accounts lookup --batch - --json"]
    ) { (run) async throws(ToolFailure) in
        try await AccountLookups(run: run).perform()
    }

    static let accountsDelete = CommandSpec(
        words: ["accounts", "delete"], summary: "remove an account and all that is kept of it",
        about: "Removes an account with its sessions and codes. NAME is a username, an e-mail address or an id."
            + " Asks first on a terminal; elsewhere --yes is needed.",
        operand: Operand(name: "NAME", isRequired: true), flags: [FlagSpec("yes", "do not ask")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts delete ada", "latchkey accounts delete ada --yes"]
    ) { (run) async throws(ToolFailure) in
        let terminal = run.invocation.has("yes") ? nil : Terminal(run)
        guard terminal != nil || run.invocation.has("yes") else { throw ToolFailure(.usage, "yes_needed") }
        let installation = try await Installation.open(run, creating: false, checkingKeys: false)
        let account = try await installation.account(named: run.operand)
        let name = account.username.typed
        if let terminal {
            let title = run.messages.sentence("menu.delete", ["username": .text(name)])
            let options = ["menu.keep_account", "menu.delete_account"].map { run.messages.sentence($0) }
            guard await terminal.choose(title, options) == 1 else { throw ToolFailure(.no, "cancelled") }
        }
        try await installation.delete(account)
        try run.output.done(run.messages.sentence("tool.account_deleted", ["username": .text(name)]))
    }
}
