import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// `/admin/groups`: all groups; and one group with its members and uses.
enum GroupsAdmin {
    static var routes: [Route] {
        [
            .admin("GET", "/groups") { try await $0.groups() },
            .admin("GET", "/groups/{name}") { try await $0.group() },
            .admin("POST", "/groups/{name}") { try await $0.changeMembers() },
            .admin("GET", "/groups/{name}/delete", isRecent: true) { try await $0.askBeforeDeletion() },
            .admin("POST", "/groups/{name}/delete") { try await $0.deleteGroup() },
        ]
            + Route.adminForm("/new-group", opens: { await $0.newGroup() }, sends: { try await $0.createGroup() })
            + Route.adminForm(
                "/groups/{name}/rename", opens: { try await $0.renameForm() }, sends: { try await $0.rename() })
    }
}

extension AdminRequest {
    /// The path of a group's page.
    func path(of group: GroupName) -> String { AdminPage.Tab.groups.path + "/" + group.text }

    private var groupsLink: PageAction { .link(say("web.admin_groups"), AdminPage.Tab.groups.path) }

    private func name() throws(AccountError) -> GroupName {
        guard let name = GroupName(parameters["name"]) else { throw .noSuchAccount }
        return name
    }

    /// The applications that only members of these groups may use, by the name of the group.
    private func uses() async throws(AccountError) -> [String: [Client]] {
        var uses: [String: [Client]] = [:]
        for client in try await service.clients() {
            for group in client.settings.groups { uses[group, default: []].append(client) }
        }
        return uses
    }

    private func names(_ clients: [Client]?, of group: GroupName) -> String {
        let names = (clients ?? []).map(\.settings.name)
        let administration = group == service.settings.administrators ? [say("admin.this_administration")] : []
        return (administration + names).joined(separator: ", ")
    }

    fileprivate func groups() async throws -> HTTPResponse {
        let (groups, uses) = (try await service.groups(), try await uses())
        let after = query("after").flatMap { GroupName($0) }
        let rest = groups.filter { group in after.map { $0 < group.group.name } ?? true }
        let shown = rest.prefix(Self.rows)
        let rows = shown.map { summary -> [TableCell] in
            let group = summary.group
            return [
                TableCell(group.name.text, at: path(of: group.name), note: group.title),
                TableCell(String(summary.members)), TableCell(names(uses[group.name.text], of: group.name)),
            ]
        }
        let table = PageTable(
            say("web.admin_groups"),
            [
                .init(say("admin.column_name"), .title), .init(say("admin.column_members"), .keep, isLabelled: true),
                .init(say("admin.column_opens"), .line, isLabelled: true),
            ], rows: Array(rows))
        let next = rest.count > shown.count ? shown.last?.group.name : nil
        return show(
            AdminPage(
                .groups, say("web.admin_groups"),
                actions: [.link(say("admin.new_group"), AdminPage.root + "/new-group")],
                notice + [
                    .text(say("admin.groups_help")),
                    rows.isEmpty ? .empty(say("admin.groups_none"), say("admin.groups_none_help"), nil) : .table(table),
                    .pages(
                        end(of: rows.count, isLast: next == nil, isFirst: after == nil),
                        next.map { .link(say("admin.next"), AdminPage.Tab.groups.path + "?after=" + $0.text) }),
                ]))
    }

    /// The page of a group.
    ///
    /// - Parameter unknown: the name of a member that does not exist, as it was typed; nil for none.
    fileprivate func group(unknown: String? = nil) async throws -> HTTPResponse {
        let name = try name()
        let summary = try await service.group(name)
        let uses = try await uses()[name.text] ?? []
        let invitations = try await service.tokens().filter { $0.isInvitation && $0.groups.contains(name) }
        let after = request.http.target["after"].map { LoginName(mapping: $0) }
        let members = try await service.people(matching: AccountFilter(in: name), after: after, count: Self.rows)
        let isOfAdministrators = name == service.settings.administrators
        let rows = members.people.map { person in
            PageRow(
                person.account.name, at: path(of: person.account.id), [person.account.email.typed],
                action: isOfAdministrators && person.account.id == live.account.id
                    ? nil
                    : .button(
                        say("admin.take_out"), path, doing: person.account.id.text, named: "leave",
                        describedAs: say(
                            "admin.take_out_of", ["name": .text(person.account.name), "group": .text(name.text)])))
        }
        let places =
            uses.map { client in
                PageRow(
                    client.settings.name,
                    at: service.settings.openID.isEnabled ? path(ofApplication: client.id) : nil)
            }
            + (isOfAdministrators ? [PageRow(say("admin.this_administration"), ["service.admins"])] : [])
            + (service.settings.initialGroups.contains(name)
                ? [PageRow(say("admin.new_accounts"), ["groups.initial"])] : [])
            + invitations.map { PageRow(say("admin.invitation_of", ["name": .text($0.name)])) }
        let about = PageSection(
            "about", say("admin.about"),
            facts: [
                PageFact(say("admin.group_title"), summary.group.title ?? "–"),
                PageFact(say("admin.created"), ago(summary.group.createdAt)),
            ], actions: [.link(say("admin.edit"), path(of: name) + "/rename")])
        let opens = PageSection(
            "opens", say("admin.opens"), help: say("admin.opens_help"),
            rows: places.isEmpty ? [PageRow(say("admin.opens_none"), [say("admin.opens_none_help")])] : places)
        let list = PageSection(
            "members", say("admin.column_members"),
            help: say(
                "admin.members", ["count": .integer(summary.members)]),
            link: .link(say("admin.members_all"), AdminPage.Tab.people.path + "?group=" + name.text),
            rows: rows.isEmpty ? [PageRow(say("admin.members_none"))] : rows,
            actions: members.next.map {
                [.link(say("admin.next"), path + "?after=" + PercentEncoding.encoded($0.text))]
            } ?? [],
            form: InlineForm(
                path,
                [
                    PageField(
                        "join", say("admin.member"), value: unknown ?? "",
                        failure: unknown.map { say("admin.no_such_member", ["name": .text($0)]) })
                ], submit: say("admin.add")), hasFormFirst: true)
        let danger = PageSection(
            "danger", say("admin.danger"),
            rows: [
                PageRow(
                    say("admin.delete_group"), [say("admin.delete_group_help")],
                    action: isOfAdministrators
                        ? nil
                        : .link(
                            say("admin.delete"), path(of: name) + "/delete",
                            describedAs: say("admin.delete_group") + ": " + name.text, isDangerous: true))
            ])
        return show(
            AdminPage(
                .groups, name.text, back: groupsLink,
                notice + [.section(about), .section(opens), .section(list), .section(danger)]),
            status: unknown == nil ? 200 : 422)
    }

    fileprivate func changeMembers() async throws -> HTTPResponse {
        let name = try name()
        let typed = posted("join")
        if !typed.isEmpty {
            guard let account = try await account(named: typed) else {
                return try await group(unknown: typed)
            }
            guard name != service.settings.administrators else { return askBeforeAdministrator(account.id) }
            let isAdded = try await service.setMembership(of: .id(account.id), in: name, to: true, by: actor)
            return done(isAdded ? "added" : "nothing", at: path)
        }
        guard let id = AccountID(posted("leave")) else { return page.notice(400, "page.bad_request") }
        guard id != live.account.id || name != service.settings.administrators else {
            return refused(
                .groups, name.text, say("admin.own_help"), back: .link(name.text, path(of: name)), status: 403)
        }
        let isRemoved = try await service.setMembership(of: .id(id), in: name, to: false, by: actor)
        return done(isRemoved ? "removed" : "nothing", at: path)
    }

    // MARK: Forms

    private func fields(_ title: String, _ submit: String) -> Form {
        let form = GroupForm.creation
        return Form(
            id: "group", title: title, submit: submit,
            fields: [
                PageFormField(
                    GroupForm.name, say("admin.column_name"), help: say("admin.group_name_help"),
                    rules: form.fields[0].validationRules),
                PageFormField(
                    GroupForm.title, say("admin.group_title"), rules: form.fields[1].validationRules,
                    isOptional: true),
            ])
    }

    private var creation: Form { fields(say("admin.new_group"), say("admin.create_group")) }

    fileprivate func newGroup() async -> HTTPResponse {
        form(opened(creation), .groups, back: (say("web.admin_groups"), AdminPage.Tab.groups.path))
    }

    fileprivate func createGroup() async throws -> HTTPResponse {
        try await submit(creation, back: (say("web.admin_groups"), AdminPage.Tab.groups.path)) { name, title in
            _ = try await service.createGroup(name, title: title.isEmpty ? nil : title, by: actor)
            return done("added", at: path(of: name))
        }
    }

    fileprivate func renameForm() async throws -> HTTPResponse {
        let group = try await service.group(try name()).group
        let present = values(of: group)
        return form(
            opened(fields(say("admin.edit_group"), say("admin.save")), carrying: present), .groups,
            back: (group.name.text, path(of: group.name)), version: version(of: present))
    }

    fileprivate func rename() async throws -> HTTPResponse {
        let old = try name()
        return try await submit(
            fields(say("admin.edit_group"), say("admin.save")), changing: try await service.group(old).group,
            back: (old.text, path(of: old))
        ) { name, title in
            let changed = try await service.changeGroup(old, to: name, title: title, by: actor)
            return done("changed", at: path(of: changed.group.name))
        }
    }

    private func values(of group: Group) -> [FieldKey: FieldValue] {
        [GroupForm.name: .text(group.name.text), GroupForm.title: .text(group.title ?? "")]
    }

    /// Validates a group's form and calls the service. A refusal stays on the page with what was typed.
    ///
    /// - Parameter group: the group that the form changes; nil for a new one.
    private func submit(
        _ form: Form, changing group: Group? = nil, back: (text: String, path: String),
        _ change: (GroupName, String) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let model = model(form) else { return page.notice(400, "page.bad_request") }
        let version = group == nil ? nil : posted(FormPage.versionField)
        let valid = request.validate(model).isEmpty
        guard valid, let credentials = model.takeCredentials(),
            let name = GroupName(credentials.text(GroupForm.name) ?? "")
        else { return self.form(model, .groups, back: back, version: version, status: 422) }
        if let group, let page = conflict(model, credentials, with: values(of: group), .groups, back: back) {
            return page
        }
        do { return try await change(name, credentials.text(GroupForm.title) ?? "") } catch AccountError.group(
            let failure)
        {
            model.callBegan()
            model.callEnded(AlertViewModel(title: sentence(about: failure)))
            return self.form(model, .groups, back: back, version: version, status: 409)
        }
    }

    /// The reason why a group, or a membership, does not change.
    func sentence(about failure: GroupFailure) -> String {
        switch failure {
        case .missing: say("api.no_such_group")
        case .nameTaken: say("api.group_exists")
        case .tooMany: say("api.too_many_groups", ["maximum": .integer(Group.maximumCount)])
        case .tooManyOfAccount: say("api.too_many_groups_of_account", ["maximum": .integer(Group.maximumPerAccount)])
        case .inUse(let uses):
            say("admin.group_in_use", ["uses": .text(uses.map(\.text).joined(separator: ", "))])
        case .adminNeeded: say("admin.own_help")
        case .lastAdministrator: say("api.last_administrator")
        }
    }

    // MARK: Deletion

    fileprivate func askBeforeDeletion() async throws -> HTTPResponse {
        let summary = try await service.group(try name())
        let values: [String: RuleFailure.Value] = [
            "name": .text(summary.group.name.text), "count": .integer(summary.members),
        ]
        let names = names(try await uses()[summary.group.name.text], of: summary.group.name)
        guard names.isEmpty else {
            return refused(
                .groups, summary.group.name.text, say("admin.delete_group_used", ["uses": .text(names)]),
                back: .link(summary.group.name.text, path(of: summary.group.name)))
        }
        return show(
            AdminQuestion(
                .groups, say("admin.delete_group_ask", values),
                [say(summary.members == 0 ? "admin.delete_group_what_empty" : "admin.delete_group_what", values)],
                back: summary.group.name.text,
                keep: .link(say("admin.keep_group"), path(of: summary.group.name)),
                confirm: .button(say("admin.delete_group"), path, doing: "delete")))
    }

    fileprivate func deleteGroup() async throws -> HTTPResponse {
        let name = try name()
        guard name != service.settings.administrators else {
            return refused(
                .groups, name.text, say("admin.own_help"), back: .link(name.text, path(of: name)), status: 403)
        }
        do throws(AccountError) {
            try await service.deleteGroup(name, by: actor)
            return done("deleted", at: AdminPage.Tab.groups.path)
        } catch .group(.missing) {
            return missing
        } catch .group(let failure) {
            return refused(
                .groups, name.text, sentence(about: failure), back: .link(name.text, path(of: name)))
        }
    }
}
