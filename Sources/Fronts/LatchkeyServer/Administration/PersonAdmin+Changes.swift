import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyWeb

/// What an administrator can change about a person.
extension AdminRequest {
    func changePerson() async throws -> HTTPResponse {
        let account = try await account()
        let lookup = AccountLookup.id(account.id)
        if let name = GroupName(posted("join")) {
            guard name != service.settings.administrators else { return askBeforeAdministrator(account.id) }
            let isDone = try await service.setMembership(of: lookup, in: name, to: true, by: actor)
            return done(isDone ? "added" : "nothing", at: path)
        }
        if let name = GroupName(posted("leave")) {
            guard !isOwn(account) || name != service.settings.administrators else { return refusedOwn(account) }
            let isDone = try await service.setMembership(of: lookup, in: name, to: false, by: actor)
            return done(isDone ? "removed" : "nothing", at: path)
        }
        if let (session, isSure) = pressed("end") {
            guard isSure else { return askBeforeEnd(session, of: account, .people, back: (account.name, path)) }
            let ended = try await service.endSessions(.one(session), of: lookup, by: actor)
            return done(ended.count > 0 ? "ended_one" : "nothing", at: path)
        }
        if let (password, isSure) = pressed("revoke") {
            guard isSure else {
                let named = try await service.appPasswords(of: lookup).first { $0.id == password }
                let values: [String: RuleFailure.Value] = [
                    "password": .text(named?.name ?? ""), "name": .text(account.name),
                ]
                return ask(
                    .people, say("admin.revoke_ask", values), say("admin.revoke_help"), say("web.remove"),
                    named: "revoke", doing: password, back: (account.name, path))
            }
            let revoked = try await service.revokeAppPassword(password, of: lookup, by: actor)
            return done(revoked == nil ? "nothing" : "removed", at: path)
        }
        switch posted("do") {
        // No group was chosen.
        case "" where Submission.value(of: "join", in: request.http.body) == "": return done("nothing", at: path)
        case "unlock":
            try await service.unlock(lookup, by: actor)
            return done("unlocked", at: path)
        case "enable":
            try await service.set(.active, of: lookup, by: actor)
            return done("enabled", at: path)
        case "require":
            try await service.requirePasswordChange(of: lookup, isCompromised: false, by: actor)
            return done("required", at: path)
        case "link":
            guard account.state == .active else {
                return refused(.people, account.name, say("api.account_disabled"), back: back(to: account))
            }
            _ = try await service.issueRecoveryCode(for: lookup, isSent: true, by: actor)
            return done(sendsMail ? "link_sent" : "link_kept", at: path)
        default: return page.notice(400, "page.bad_request")
        }
    }

    /// The page that asks before a session ends.
    ///
    /// - Parameter value: what the button posts.
    func askBeforeEnd(
        _ value: String, of account: Account, _ tab: AdminPage.Tab, back: (text: String, path: String)
    ) -> HTTPResponse {
        ask(
            tab, say("admin.end_ask", ["name": .text(account.name)]), say("admin.end_help"), say("web.end"),
            named: "end", doing: value, back: back)
    }

    /// The page that asks before a person becomes an administrator.
    func askBeforeAdministrator(_ id: AccountID) -> HTTPResponse {
        page.redirection(to: path(of: id) + "/" + PersonAdmin.Danger.makeAdministrator.rawValue)
    }

    private func back(to account: Account) -> PageAction { .link(account.name, path(of: account.id)) }

    private func refusedOwn(_ account: Account) -> HTTPResponse {
        refused(.people, account.name, say("admin.own_help"), back: back(to: account), status: 403)
    }

    // MARK: Profile

    func profileForm() async throws -> HTTPResponse {
        let account = try await account()
        return form(
            opened(profileFields, carrying: account.present), .people, back: (account.name, path(of: account.id)),
            version: version(of: account.present))
    }

    private var profileFields: Form {
        let form = request.forms.form(for: .setup).withoutSecrets
        return Form(id: "person", title: say("admin.edit_profile"), submit: say("admin.save"), fields: form.fields)
    }

    func changeProfile() async throws -> HTTPResponse {
        let account = try await account()
        let back = (account.name, path(of: account.id))
        guard let model = model(profileFields, carrying: account.present) else {
            return page.notice(400, "page.bad_request")
        }
        let opened = posted(FormPage.versionField)
        guard request.validate(model).isEmpty, let credentials = model.takeCredentials() else {
            return form(model, .people, back: back, version: opened, status: 422)
        }
        if let page = conflict(model, credentials, with: account.present, .people, back: back) { return page }
        let draft = ProfileDraft(
            username: credentials.text(.username), email: credentials.text(.email),
            attributes: credentials.attributesWithEmpty)
        do throws(AccountError) {
            let update = try await service.update(.id(account.id), draft, by: actor)
            return done(update.fields.isEmpty ? "nothing" : "changed", at: path(of: account.id))
        } catch {
            model.callBegan()
            let response = NetworkResponse(error)
            model.callEnded(response.alert(in: model.form, request.messages))
            return form(
                model, .people, back: back, version: opened, status: response.publicStatus == 503 ? 503 : 422)
        }
    }

    // MARK: Confirmations

    func ask(_ danger: PersonAdmin.Danger, failure: String? = nil) async throws -> HTTPResponse {
        let account = try await account()
        guard !isOwn(account) || danger == .endSessions else { return refusedOwn(account) }
        let values: [String: RuleFailure.Value] = ["name": .text(account.name)]
        var sentences: [String]
        let (title, answer): (String, String)
        switch danger {
        case .resetFactors:
            (title, answer) = (say("admin.reset_ask", values), say("admin.reset"))
            sentences = [say("admin.reset_help")]
        case .endSessions:
            (title, answer) = (say("admin.end_all_ask", values), say("admin.end_all"))
            sentences = [say("admin.end_all_help")]
        case .makeAdministrator:
            (title, answer) = (say("admin.make_admin_ask", values), say("admin.make_admin"))
            sentences = [say("admin.make_admin_help")]
        case .disable:
            (title, answer) = (say("admin.disable_ask", values), say("admin.disable"))
            sentences = [say("admin.disable_help")]
        case .delete:
            (title, answer) = (say("admin.delete_ask", values), say("admin.delete_answer"))
            let (factors, sessions, passwords) = (
                try await service.factors(of: .id(account.id)), try await service.sessions(of: .id(account.id)),
                try await service.appPasswords(of: .id(account.id))
            )
            let lost = [
                ("passkeys", factors.passkeys.count), ("sessions", sessions.count), ("passwords", passwords.count),
            ].filter { $0.1 > 0 }.map { say("admin.delete_" + $0.0, ["count": .integer($0.1)]) }
            let email: [String: RuleFailure.Value] = ["email": .text(account.email.typed)]
            sentences = [
                say("admin.delete_what", email),
                lost.isEmpty ? nil : say("admin.delete_more", ["things": .text(lost.joined(separator: ", "))]),
                say("admin.delete_instead"),
            ].compactMap(\.self)
        }
        let typed = danger == .delete ? (label: say("admin.delete_type", values), failure: failure) : nil
        return show(
            AdminQuestion(
                .people, title, sentences, typed: typed, back: account.name,
                keep: .link(say(danger == .delete ? "admin.keep" : "web.cancel"), path(of: account.id)),
                confirm: .button(answer, path, doing: danger.rawValue)), status: failure == nil ? 200 : 422)
    }

    func confirm(_ danger: PersonAdmin.Danger) async throws -> HTTPResponse {
        let account = try await account()
        let lookup = AccountLookup.id(account.id)
        guard !isOwn(account) || danger == .endSessions else { return refusedOwn(account) }
        switch danger {
        case .resetFactors:
            let isDone = try await service.resetFactors(of: lookup, by: actor)
            return done(isDone ? "factors_removed" : "nothing", at: path(of: account.id))
        case .endSessions:
            let ended = try await service.endSessions(.all, of: lookup, by: actor)
            return done(ended.count > 0 ? "ended" : "nothing", at: path(of: account.id))
        case .makeAdministrator:
            let isDone = try await service.setMembership(
                of: lookup, in: service.settings.administrators, to: true, by: actor)
            return done(isDone ? "added" : "nothing", at: path(of: account.id))
        case .disable:
            try await service.set(.disabled, of: lookup, by: actor)
            return done("disabled", at: path(of: account.id))
        case .delete:
            guard LoginName(mapping: posted("sure")) == LoginName(mapping: account.name) else {
                return try await ask(danger, failure: say("admin.delete_mistyped", ["name": .text(account.name)]))
            }
            try await service.delete(lookup, by: actor)
            return done("deleted", at: AdminPage.Tab.people.path)
        }
    }
}
