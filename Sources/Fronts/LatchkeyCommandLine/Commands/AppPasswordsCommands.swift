import LatchkeyAccounts
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets

/// `app-passwords create`: creates a password for a program that cannot ask for a second factor.
enum AppPasswordsCreateCommand {
    static let spec = CommandSpec(
        words: ["app-passwords", "create"], summary: "Create a password for a program and print it",
        about: "Create a password for a program that cannot ask for a second factor, such as a mail client, and print"
            + " it. It cannot be shown again. It is good only where checkpassword or PAM checks the login, and starts no"
            + " session. Requires a login within the last 5 minutes: a terminal asks for the password, a script logs in"
            + " again first. NAME is the same as --name.",
        operand: CommandSpec.Operand(name: "NAME", isRequired: false, kind: .text, flag: "name"),
        flags: [
            FlagSpec(
                "name", value: "TEXT", of: .text,
                "What the program is called in the list, at most \(AppPassword.maximumNameLength) characters")
        ],
        statuses: [.done, .no, .temporary] + ExitStatus.ofStores,
        examples: ["latchkey app-passwords create --name phone", "latchkey app-passwords create --name backup --json"]
    ) { (context) async throws(ToolFailure) in
        let name = try name(context)
        let installation = try await Installation.open(context, creating: false)
        return try await run(AccountOwner(installation), installation, name)
    }

    static func run(
        _ owner: AccountOwner, _ installation: Installation, _ name: String
    ) async throws(ToolFailure) -> CommandResult {
        try await owner.reauthenticate()
        let token = try await owner.heldToken()
        let created = try await installation.asking { (service) async throws(AccountError) in
            try await service.createAppPassword(token: token, name: name)
        }
        guard let (password, text) = created else { throw .tooManyAppPasswords(maximum: AppPassword.perAccount) }
        owner.context.output.note(owner.context.messages.sentence("tool.app_password_shown"))
        return .secret(text, named: "app_password", json: password.members)
    }

    private static func name(_ context: CommandContext) throws(ToolFailure) -> String {
        guard let flag = context.invocation.value("name") else { throw .flagMissing(name: "--name") }
        guard let name = flag.text, AppPassword.failure(ofName: name) == nil else {
            throw .badValue("--name", .name(maximum: AppPassword.maximumNameLength))
        }
        return name
    }
}

/// `app-passwords list`: lists the app passwords of an account, without their text.
enum AppPasswordsListCommand {
    static let spec = CommandSpec(
        words: ["app-passwords", "list"], summary: "List the app passwords",
        about: "List the app passwords of the logged-in account: id, name, last use and creation. In a pipe or file,"
            + " print a line for each, with a tab between the cells; with --json one object a line.",
        flags: [.sessionAccount, .utc], statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey app-passwords list", "latchkey app-passwords list --account ada --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let passwords: [AppPassword]
        if context.invocation.has("account") {
            let account = try await context.sessionAccount(in: installation)
            passwords = try await installation.asking { (service) async throws(AccountError) in
                try await service.appPasswords(of: .id(account.id))
            }
        } else {
            passwords = try await run(AccountOwner(installation), installation)
        }
        var table = ListTable(context, titles: ["list.id", "list.name", "list.used", "list.created"])
        for password in passwords {
            let used = password.lastUsedAt.map { ListTable.Cell.time($0) }
            table.add(
                [
                    .id(password.id), .text(password.name),
                    used ?? .text(context.messages.sentence("list.never")), .time(password.createdAt),
                ], json: .object(password.members))
        }
        try table.finish(counted: "list.app_passwords", none: "list.app_passwords_none")
        return .printed
    }

    /// The app passwords of the logged-in account.
    static func run(_ owner: AccountOwner, _ installation: Installation) async throws(ToolFailure) -> [AppPassword] {
        let token = try await owner.heldToken()
        return try await installation.asking { (service) async throws(AccountError) in
            try await service.appPasswords(token: token)
        }
    }
}

/// `app-passwords revoke`: deletes an app password. This takes effect immediately.
enum AppPasswordsRevokeCommand {
    static let spec = CommandSpec(
        words: ["app-passwords", "revoke"], summary: "Revoke an app password",
        about: "Delete the app password ID (from app-passwords list). The next login with it fails. Without --account,"
            + " requires a login within the last 5 minutes: a terminal asks for the password, a script logs in again"
            + " first.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true), flags: [.sessionAccount],
        statuses: [.done, .no, .temporary] + ExitStatus.ofStores,
        examples: [
            "latchkey app-passwords revoke 3f9a1c02", "latchkey app-passwords revoke 3f9a1c02 --account ada --json",
        ]
    ) { (context) async throws(ToolFailure) in
        let id = context.operand ?? ""
        let installation = try await Installation.open(context, creating: false)
        guard context.invocation.has("account") else {
            return try await run(AccountOwner(installation), installation, id)
        }
        let account = try await context.sessionAccount(in: installation)
        let revoked = try await installation.asking { (service) async throws(AccountError) in
            try await service.revokeAppPassword(id, of: .id(account.id), by: .thisUser)
        }
        if revoked != nil { context.tellAdministered(account.id) }
        return try result(revoked)
    }

    /// Revokes an app password of the logged-in account.
    static func run(
        _ owner: AccountOwner, _ installation: Installation, _ id: String
    ) async throws(ToolFailure) -> CommandResult {
        try await owner.reauthenticate()
        let token = try await owner.heldToken()
        return try result(
            try await installation.asking { (service) async throws(AccountError) in
                try await service.revokeAppPassword(id, token: token)
            })
    }

    private static func result(_ revoked: AppPassword?) throws(ToolFailure) -> CommandResult {
        guard let revoked else { throw .noSuchAppPassword }
        return .sentence(
            "tool.app_password_revoked", ["name": .text(revoked.name)], json: [("id", .string(revoked.id))])
    }
}

extension AppPassword {
    fileprivate var members: CommandResult.Members {
        [
            ("id", .string(id)), ("name", .string(name)), ("created_at", .string(createdAt.rfc3339)),
            ("last_used_at", lastUsedAt.map { .string($0.rfc3339) } ?? .null),
        ]
    }
}
