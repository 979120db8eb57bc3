import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyWeb

/// `/admin/people`: the list of people, with a search and filters.
enum PeopleAdmin {
    static var routes: [Route] {
        [.admin("GET", "/people") { try await $0.people() }]
    }
}

/// What the list of people shows.
private struct PeopleChoice {
    /// A filter of the list.
    enum Filter: String, CaseIterable {
        case all, active, disabled, unverified, locked
        case mustChange = "must-change"
        case noFactor = "no-factor"

        var state: AccountFilter.State? { AccountFilter.State(rawValue: rawValue) }
    }

    let text: String?
    let filter: Filter
    let group: GroupName?
    let after: LoginName?

    init(_ admin: AdminRequest) {
        text = admin.query("q").map { $0.trimming(" ") }.flatMap { $0.isEmpty ? nil : $0 }
        filter = admin.query("show").flatMap(Filter.init(rawValue:)) ?? .all
        group = admin.query("group").flatMap { GroupName($0) }
        after = admin.request.http.target["after"].map { LoginName(mapping: $0) }
    }

    var accounts: AccountFilter {
        AccountFilter(
            state: filter.state, matching: text, isBeginning: true, in: group, hasNoFactor: filter == .noFactor)
    }

    func path(_ filter: Filter, after name: LoginName? = nil) -> String {
        let pairs: [(String, String?)] = [
            ("q", text), ("show", filter == .all ? nil : filter.rawValue), ("group", group?.text),
            ("after", name?.text),
        ]
        let query = pairs.compactMap { name, value in value.map { name + "=" + PercentEncoding.encoded($0) } }
        return AdminPage.Tab.people.path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
}

extension String {
    /// Without these characters at the beginning and the end.
    fileprivate func trimming(_ character: Character) -> String {
        String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
    }
}

extension AdminRequest {
    /// The path of an account's page.
    func path(of account: AccountID) -> String { AdminPage.Tab.people.path + "/" + account.text }

    fileprivate func people() async throws -> HTTPResponse {
        let choice = PeopleChoice(self)
        let found = try await service.people(
            matching: choice.accounts, after: choice.after, count: Self.rows)
        var hidden: [(name: String, value: String)] = []
        if choice.filter != .all { hidden.append(("show", choice.filter.rawValue)) }
        if let group = choice.group { hidden.append(("group", group.text)) }
        var blocks: [PageBlock] =
            notice + [
                .form(
                    InlineForm(
                        AdminPage.Tab.people.path, isSearch: true,
                        [PageField("q", say("admin.people_search"), value: choice.text ?? "", type: "search")],
                        hidden: hidden, submit: say("admin.search"))),
                .filters(
                    PeopleChoice.Filter.allCases.map {
                        (filterName($0), choice.path($0), $0 == choice.filter)
                    }),
            ]
        if let group = choice.group {
            blocks.append(.text(say("admin.people_of_group", ["group": .text(group.text)])))
        }
        if found.people.isEmpty {
            blocks.append(
                .empty(
                    say("admin.people_none"),
                    say(choice.text == nil ? "admin.people_none_filter" : "admin.people_none_text"),
                    .link(say("admin.people_all"), AdminPage.Tab.people.path)))
        } else {
            blocks.append(.table(table(of: found.people)))
        }
        if found.stoppedEarly {
            blocks.append(.text(say("admin.people_stopped", ["count": .integer(AccountService.peopleScan)])))
        }
        blocks.append(
            .pages(
                end(of: found.people.count, isLast: found.next == nil, isFirst: choice.after == nil),
                found.next.map { .link(say("admin.next"), choice.path(choice.filter, after: $0)) }))
        return show(
            AdminPage(
                .people, say("web.admin_people"),
                actions: [.link(say("admin.invite"), AdminPage.root + "/invite")], blocks))
    }

    /// What a page of a list shows, and whether it is the last one.
    func end(of count: Int, isLast: Bool, isFirst: Bool) -> String {
        let code = !isLast ? "admin.shown_more" : isFirst ? "admin.shown_all" : "admin.shown_last"
        return say(code, ["count": .integer(count)])
    }

    private func filterName(_ filter: PeopleChoice.Filter) -> String {
        switch filter {
        case .all: say("admin.filter_all")
        case .active: say("admin.filter_active")
        case .disabled: say("admin.state_disabled")
        case .unverified: say("admin.state_unverified")
        case .locked: say("admin.state_locked")
        case .mustChange: say("admin.state_must_change")
        case .noFactor: say("admin.filter_no_factor")
        }
    }

    private func table(of people: [PersonSummary]) -> PageTable {
        PageTable(
            say("admin.people_caption"),
            [
                .init(say("admin.column_name"), .title), .init(say("admin.column_email"), .line),
                .init(say("admin.column_groups"), .line, isLabelled: true),
                .init(say("admin.column_factor"), .keep),
                .init(say("admin.column_login"), .keep, isLabelled: true), .init(say("admin.column_state"), .side),
            ],
            rows: people.map { person in
                let account = person.account
                let verified = account.emailVerifiedAt == nil ? [] : [PageBadge(say("admin.confirmed"), .good)]
                return [
                    TableCell(account.name, at: path(of: account.id)),
                    TableCell(account.email.typed, badges: verified),
                    TableCell(person.groups.map(\.text).joined(separator: ", ")),
                    TableCell(badges: factors(of: person)),
                    TableCell(ago(account.lastLoginAt)),
                    TableCell(badges: badges(of: account, isLocked: person.isLocked)),
                ]
            })
    }

    private func factors(of person: PersonSummary) -> [PageBadge] {
        (person.hasPasskey ? [PageBadge(say("admin.passkey"))] : [])
            + (person.hasAuthenticator ? [PageBadge(say("admin.app"))] : [])
    }

    /// The states of an account that are not the normal one.
    func badges(of account: Account, isLocked: Bool) -> [PageBadge] {
        var badges: [PageBadge] = []
        if account.state == .disabled { badges.append(PageBadge(say("admin.state_disabled"))) }
        if isLocked { badges.append(PageBadge(say("admin.state_locked"), .bad)) }
        if account.verifyBy != nil { badges.append(PageBadge(say("admin.state_unverified"), .wait)) }
        if account.mustChangePassword { badges.append(PageBadge(say("admin.state_must_change"), .wait)) }
        return badges
    }
}
