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

    /// The most accounts that are looked at one by one for the numbers of the filters.
    fileprivate static let countedAtOnce = 500
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
        // The numbers are those of all people.
        let counts = choice.text == nil && choice.group == nil ? try await counts() : [:]
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
                    PeopleChoice.Filter.allCases.map { filter in
                        let count = counts[filter].map { " " + String($0) } ?? ""
                        return (filterName(filter) + count, choice.path(filter), filter == choice.filter)
                    }),
            ]
        if let group = choice.group {
            blocks.append(.text(say("admin.people_of_group", ["group": .text(group.text)])))
        }
        if found.people.isEmpty {
            blocks.append(
                .empty(
                    say("admin.people_none"), reason(choice),
                    .link(say("admin.people_all"), AdminPage.Tab.people.path)))
        } else {
            blocks.append(.table(table(of: found.people)))
        }
        if found.stoppedEarly {
            blocks.append(.text(say("admin.people_stopped", ["count": .integer(AccountService.peopleScan)])))
        }
        if !found.people.isEmpty || found.next != nil {
            blocks.append(
                .pages(
                    end(of: found.people.count, isLast: found.next == nil, isFirst: choice.after == nil),
                    found.next.map { .link(say("admin.next"), choice.path(choice.filter, after: $0)) }))
        }
        return show(
            AdminPage(
                .people, say("web.admin_people"), back: choice.group.map { .link($0.text, path(of: $0)) },
                actions: [.link(say("admin.invite"), AdminPage.root + "/invite")], blocks))
    }

    /// Why a list is empty: the filters that are active.
    private func reason(_ choice: PeopleChoice) -> String {
        let parts = [
            choice.text.map { say("admin.people_none_text", ["text": .text($0)]) },
            choice.filter == .all ? nil : say("admin.people_none_filter", ["filter": .text(filterName(choice.filter))]),
            choice.group.map { say("admin.people_none_group", ["group": .text($0.text)]) },
        ].compactMap(\.self)
        return parts.isEmpty ? say("admin.people_none_yet") : parts.joined(separator: " ")
    }

    /// The number of people that each filter selects. In a large store, the numbers may be a moment old, and those that
    /// need a look at each account are missing.
    private func counts() async throws(AccountError) -> [PeopleChoice.Filter: Int] {
        let service = service
        let most = PeopleAdmin.countedAtOnce
        let isSmall = try await service.accounts(after: nil, limit: most + 1).count <= most
        let counted: StoreCounts?
        if isSmall {
            counted = try await service.storeCounts()
        } else {
            let standing = await request.site.storeCounts.value(at: service.clock.now()) {
                try? await service.storeCounts()
            }
            counted = standing?.value ?? nil
        }
        guard let counts = counted else { return [:] }
        var found: [PeopleChoice.Filter: Int] = [
            .all: counts.allAccounts, .active: counts.activeAccounts, .disabled: counts.disabledAccounts,
            .unverified: counts.unverifiedAccounts, .mustChange: counts.accountsToChangePassword,
        ]
        guard isSmall else { return found }
        for filter in [PeopleChoice.Filter.locked, .noFactor] {
            let accounts = AccountFilter(state: filter.state, hasNoFactor: filter == .noFactor)
            found[filter] = try await service.accounts(matching: accounts, after: nil, lookingAt: most).accounts.count
        }
        return found
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
        let none = TableCell(note: say("admin.none"))
        return PageTable(
            say("admin.people_caption"),
            [
                .init(say("admin.column_name"), .title), .init(say("admin.column_email"), .line),
                .init(say("admin.column_groups"), .line, isLabelled: true),
                .init(say("admin.column_factor"), .keep, isLabelled: true),
                .init(say("admin.column_login"), .keep, isLabelled: true), .init(say("admin.column_state"), .side),
            ],
            rows: people.map { person in
                let account = person.account
                let verified = account.emailVerifiedAt == nil ? [] : [PageBadge(say("admin.confirmed"), .good)]
                let factors = factors(of: person)
                return [
                    TableCell(account.name, at: path(of: account.id)),
                    TableCell(account.email.typed, badges: verified),
                    person.groups.isEmpty
                        ? none : TableCell(person.groups.map(\.text).joined(separator: ", ")),
                    factors.isEmpty ? none : TableCell(badges: factors),
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
