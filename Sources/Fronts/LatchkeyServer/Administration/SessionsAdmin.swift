import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyWeb

/// `/admin/sessions`: all sessions, newest use first.
enum SessionsAdmin {
    static var routes: [Route] {
        [
            .admin("GET", "/sessions") { try await $0.sessions() },
            .admin("POST", "/sessions") { try await $0.endSession() },
        ]
    }
}

extension AdminRequest {
    fileprivate func sessions() async throws -> HTTPResponse {
        let after = query("after").flatMap { SessionPlace($0) }
        let name = query("q").flatMap { $0.isEmpty ? nil : $0 }
        let (found, last) = try await sessions(named: name, after: after)
        let rows = found.map { live -> [TableCell] in
            let (program, address) = live.session.places
            let isOwn = self.isOwn(live.session)
            return [
                TableCell(live.account.name, at: path(of: live.account.id)), TableCell(program),
                TableCell(address), TableCell(ago(live.session.lastUsedAt)),
                TableCell(ago(live.session.createdAt)),
                isOwn
                    ? TableCell("", badges: [PageBadge(say("web.this_session"), .good)])
                    : TableCell(
                        action: .button(
                            say("web.end"), AdminPage.Tab.sessions.path,
                            doing: live.account.id.text + " " + live.session.shortID, named: "end",
                            describedAs: say("web.end_of", ["device": .text(live.account.name)]))),
            ]
        }
        let table = PageTable(
            say("admin.sessions_caption"),
            [
                .init(say("admin.column_person"), .title), .init(say("admin.column_program"), .line),
                .init(say("admin.column_address"), .line), .init(say("admin.column_used"), .keep, isLabelled: true),
                .init(say("admin.column_since"), .keep, isLabelled: true),
                .init(say("admin.column_action"), .side, isHeadingHidden: true),
            ], rows: rows)
        let next = last.map {
            PageAction.link(say("admin.next"), AdminPage.Tab.sessions.path + "?after=" + $0.text)
        }
        return show(
            AdminPage(
                .sessions, say("web.admin_sessions"),
                notice + [
                    .form(
                        InlineForm(
                            AdminPage.Tab.sessions.path, isSearch: true,
                            [PageField("q", say("admin.sessions_search"), value: name ?? "", type: "search")],
                            submit: say("admin.search"))),
                    rows.isEmpty
                        ? .empty(
                            say("admin.sessions_none"),
                            name.map { say("admin.sessions_none_named", ["name": .text($0)]) }
                                ?? say("admin.sessions_none_help"),
                            name.map { _ in .link(say("admin.sessions_all"), AdminPage.Tab.sessions.path) })
                        : .table(table),
                    .pages(end(of: rows.count, isLast: next == nil, isFirst: after == nil), next),
                ]))
    }

    /// Whether a session is the administrator's. Ending it would log the administrator out.
    func isOwn(_ session: Session) -> Bool { session.digest == live.session.digest }

    /// A page of the sessions, or all sessions of one person.
    ///
    /// - Parameter name: the username, e-mail address or ID of the person; nil for everyone.
    private func sessions(
        named name: String?, after place: SessionPlace?
    ) async throws -> (found: [(account: Account, session: Session)], next: SessionPlace?) {
        guard let name else {
            let page = try await service.sessions(after: place, lookingAt: Self.rows)
            return (page.sessions.map { ($0.account, $0.session) }, page.last)
        }
        guard let lookup = AccountLookup(name) else { return ([], nil) }
        let account: Account
        do throws(AccountError) {
            account = try await service.account(lookup)
        } catch {
            guard case .noSuchAccount = error else { throw error }
            return ([], nil)
        }
        return (try await service.sessions(of: .id(account.id)).map { (account, $0) }, nil)
    }

    fileprivate func endSession() async throws -> HTTPResponse {
        let (value, isSure) = pressed("end") ?? ("", false)
        let parts = value.split(separator: " ")
        guard parts.count == 2, let account = AccountID(String(parts[0])) else {
            return page.notice(400, "page.bad_request")
        }
        guard isSure else {
            return askBeforeEnd(
                value, of: try await service.account(.id(account)), .sessions,
                back: (say("web.admin_sessions"), AdminPage.Tab.sessions.path))
        }
        let ended = try await service.endSessions(.one(String(parts[1])), of: .id(account), by: actor)
        return done(ended.count > 0 ? "ended_one" : "nothing", at: AdminPage.Tab.sessions.path)
    }
}

extension Session {
    /// The program and the address of the session, as far as they are known.
    var places: (program: String, address: String) {
        let parts = source.split(separator: ", ", maxSplits: 1).map(String.init)
        guard let last = parts.last else { return ("", "") }
        let hasAddress = RequestSource(last) != nil
        if parts.count == 1 { return hasAddress ? ("", last) : (last, "") }
        return hasAddress ? (parts[0], last) : (source, "")
    }
}
