import LatchkeyAccounts
import LatchkeyForms
import LatchkeyNetworking

/// `groups create`: creates groups without members.
enum GroupsCreateCommand {
    static let spec = CommandSpec(
        words: ["groups", "create"], summary: "Create groups",
        about:
            "Create a group without members. GROUP has 1 to 64 characters from a-z 0-9 . _ - and begins with a"
            + " letter or digit; there may be several. Creates the store if there is none.",
        operand: .groups, flags: [.groupTitle], statuses: [.done, .no, .exists] + ExitStatus.ofStores,
        examples: ["latchkey groups create staff", "latchkey groups create admins --title Administrators --json"]
    ) { (context) async throws(ToolFailure) in
        let title = try context.groupTitle()
        let installation = try await Installation.open(context, creating: true)
        return try await context.forEachName { (operand) async throws(ToolFailure) in
            let name = try GroupName(operand: operand.text, "GROUP")
            let group = try await installation.administering { (service, user) async throws(AccountError) in
                try await service.createGroup(name, title: title, by: user)
            }
            return .sentence(
                "tool.group_created", ["name": .text(name.text)],
                json: [("group", GroupSummary(group, members: 0).json)])
        }
    }
}

/// `groups list`: lists all groups.
enum GroupsListCommand {
    static let spec = CommandSpec(
        words: ["groups", "list"], summary: "List groups",
        about:
            "List all groups by name: name, number of members, title and creation. In a pipe or file, print a line"
            + " for each, with a tab between the cells; with --json one object a line.",
        flags: [.utc], statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey groups list", "latchkey groups list --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let groups = try await installation.asking { (service) async throws(AccountError) in try await service.groups()
        }
        var table = ListTable(context, titles: ["list.name", "list.members", "list.title", "list.created"])
        for summary in groups {
            table.add(
                [
                    .id(summary.group.name.text), .text(String(summary.members)), .text(summary.group.title ?? ""),
                    .time(summary.group.createdAt),
                ], json: summary.json)
        }
        try table.finish(counted: "list.groups", none: "list.groups_none")
        return .printed
    }
}

/// `groups show`: shows groups. `accounts list --group` lists their members.
enum GroupsShowCommand {
    static let spec = CommandSpec(
        words: ["groups", "show"], summary: "Show groups",
        about: "Show a group: name, title, number of members and creation. There may be several. accounts list --group"
            + " GROUP lists the members.",
        operand: .groups, flags: [.utc], statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey groups show staff", "latchkey groups show staff admins --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        return try await context.forEachName { (operand) async throws(ToolFailure) in
            let name = try GroupName(operand: operand.text, "GROUP")
            let summary = try await installation.asking { (service) async throws(AccountError) in
                try await service.group(name)
            }
            let rows = [
                ("group.name", name.text), ("group.title", summary.group.title ?? ""),
                ("group.members", String(summary.members)), ("account.created", context.shown(summary.group.createdAt)),
            ]
            let lines = rows.filter { !$0.1.isEmpty }.map { "\(context.messages.sentence($0.0)): \($0.1)" }
            return .sentences(lines, json: [("group", summary.json)])
        }
    }
}

/// `groups rename`: changes the name or the title of a group.
enum GroupsRenameCommand {
    static let spec = CommandSpec(
        words: ["groups", "rename"], summary: "Change the name or title of a group",
        about:
            "Rename GROUP to NEW, or change its title with --title; an empty title removes it. The members stay."
            + " Proxies and applications that compare the old name no longer admit them.",
        operand: CommandSpec.Operand(
            name: "GROUP [NEW]", isRequired: true, isRepeatable: true, showsRepetition: false, kind: .text),
        flags: [
            .groupTitle,
            FlagSpec("force", "Rename the group even if an application, an invitation or a setting names it"),
        ],
        statuses: [.done, .no, .exists] + ExitStatus.ofStores,
        examples: ["latchkey groups rename staff team", "latchkey groups rename staff --title 'All staff'"]
    ) { (context) async throws(ToolFailure) in
        let operands = context.invocation.operands
        guard operands.count <= 2 else { throw .operandTooMany(command: "latchkey groups rename") }
        let title = try context.groupTitle(mayBeEmpty: true)
        guard operands.count == 2 || title != nil else { throw .operandMissing(name: "NEW") }
        let name = try GroupName(operand: operands.first?.text, "GROUP")
        let newName: GroupName? = operands.count == 2 ? try GroupName(operand: operands[1].text, "NEW") : nil
        let isForced = context.invocation.has("force")
        let installation = try await Installation.open(context, creating: false)
        let summary = try await installation.administering { (service, user) async throws(AccountError) in
            try await service.changeGroup(name, to: newName, title: title, force: isForced, by: user)
        }
        return .sentence(
            "tool.group_changed", ["name": .text(summary.group.name.text)], json: [("group", summary.json)])
    }
}

/// `groups delete`: deletes groups. Their members stay.
enum GroupsDeleteCommand {
    static let spec = CommandSpec(
        words: ["groups", "delete"], summary: "Delete groups",
        about: "Delete a group with its memberships. The accounts stay. There may be several groups.",
        operand: .groups,
        flags: [FlagSpec("force", "Delete the group even if an application, an invitation or a setting names it")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey groups delete staff", "latchkey groups delete admins --force --json"]
    ) { (context) async throws(ToolFailure) in
        let isForced = context.invocation.has("force")
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        return try await context.forEachName { (operand) async throws(ToolFailure) in
            let name = try GroupName(operand: operand.text, "GROUP")
            try await installation.administering { (service, user) async throws(AccountError) in
                try await service.deleteGroup(name, force: isForced, by: user)
            }
            return .sentence("tool.group_deleted", ["name": .text(name.text)])
        }
    }
}

extension CommandSpec.Operand {
    /// One or more names of groups.
    static let groups = CommandSpec.Operand(name: "GROUP", isRequired: true, isRepeatable: true, kind: .text)
}

extension FlagSpec {
    /// `--title` of a group.
    static let groupTitle = FlagSpec("title", value: "TEXT", of: .text, "Title for people, at most 256 bytes")
}

extension CommandContext {
    /// The value of `--title`; nil without the flag.
    fileprivate func groupTitle(mayBeEmpty: Bool = false) throws(ToolFailure) -> String? {
        guard let flag = invocation.value("title") else { return nil }
        guard let title = flag.text, Group.isTitle(title) || mayBeEmpty && title.isEmpty else {
            throw .badValue("--title", .text(maximum: 256))
        }
        return title
    }

    /// The groups in `--group`, in order; none without the flag.
    func groupsOfFlag() throws(ToolFailure) -> [GroupName] {
        var names: Set<GroupName> = []
        for flag in invocation.flags where flag.name == "group" {
            names.insert(try GroupName(operand: flag.value?.text, "--group"))
        }
        return names.sorted()
    }
}

extension GroupName {
    /// The name of a group in an operand or a flag.
    ///
    /// - Throws: status 64 if it is not valid.
    init(operand text: String?, _ name: String) throws(ToolFailure) {
        guard let text, let group = GroupName(text) else { throw .badValue(name, .groupName) }
        self = group
    }
}
