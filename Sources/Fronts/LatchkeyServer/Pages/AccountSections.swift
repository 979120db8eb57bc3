import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// The sections of the account page, each with its state, also if there is nothing yet.
extension PageRequest {
    /// The number of sessions on the account page. Another page has all of them.
    private static let shownSessions = 3

    func accountPage(_ live: LiveSession) async -> HTTPResponse {
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: "/account") }
        var site = await accountSite(returnTo: checkedReturn(request.http.target["return"]))
        site.application = await destinationName(of: site.returnTo)
        do throws(AccountError) {
            let factors = try await request.service.factors(token: token)
            let sessions = try await request.service.sessions(token: token)
            var sections = [
                try await profile(of: live.account, token), try await password(of: live.account), passkeys(of: factors),
                authenticator(of: factors), savedCodes(of: factors),
                self.sessions(sessions.all, own: sessions.own, isShort: true),
            ].compactMap(\.self)
            sections.append(appPasswords(try await request.service.appPasswords(token: token)))
            sections += try await applications(token) + [data]
            let blocks = (await accountNotice.map { [PageBlock.notice($0)] } ?? []) + sections.map { .section($0) }
            return html(AccountPage(nil, blocks, on: site).html)
        } catch .noSession {
            return redirection(to: .login, returningTo: "/account")
        } catch {
            return failure(error)
        }
    }

    /// The page with all sessions.
    func sessionsPage() async -> HTTPResponse {
        guard let token = request.cookieToken, let found = try? await request.service.sessions(token: token) else {
            return redirection(to: .login, returningTo: AccountPage.sessionsPath)
        }
        let section = sessions(found.all, own: found.own, isShort: false)
        return html(AccountPage(say("web.sessions"), [.section(section)], on: await accountSite()).html)
    }

    /// The sentence above the sections: of a redirect, or about an application that waits in another browser.
    private var accountNotice: String? {
        get async {
            if let note { return note }
            guard let request = request.http.target[Self.requestParameter],
                let name = await applicationElsewhere(request)
            else { return nil }
            return say("page.open_again", ["application": .text(name)])
        }
    }

    private func say(_ code: String, _ values: [String: RuleFailure.Value] = [:]) -> String {
        request.messages.sentence(code, values)
    }

    private func ago(_ time: Timestamp) -> String { request.messages.relative(time, now: request.service.clock.now()) }

    private func since(_ time: Timestamp) -> String { say("page.since", ["time": .text(ago(time))]) }

    private func used(_ time: Timestamp?) -> String {
        time.map { say("web.used", ["time": .text(ago($0))]) } ?? say("page.unused")
    }

    // MARK: Sections

    private func profile(of account: Account, _ token: Secret) async throws(AccountError) -> PageSection {
        let present = account.present
        let facts = request.forms.form(for: .profile).fields.compactMap { field -> PageFact? in
            guard !field.isSecret, let value = present[field.apiKey], !value.isEmpty else { return nil }
            let verified =
                account.emailVerifiedAt == nil
                ? PageBadge(say("page.unconfirmed"), .wait) : PageBadge(say("page.confirmed"), .good)
            return PageFact(
                field.label, field.readable(value, request.messages), badge: field.apiKey == .email ? verified : nil)
        }
        func row(_ title: String, _ explanation: String, _ action: String) -> PageRow {
            PageRow(title, [explanation], action: .button(action, FormPage.addressPath, doing: "again"))
        }
        let own = account.email
        let waiting: PageRow? =
            switch try await request.service.waitingAddress(token: token) {
            case let address? where address == own:
                row(
                    say("web.address_waits", ["email": .text(own.typed)]), say("web.address_own"),
                    say("web.address_again"))
            case let address?:
                row(
                    say("web.address_waits", ["email": .text(address.typed)]),
                    say("web.address_waits_explained", ["email": .text(own.typed)]), say("web.address_again"))
            case nil where account.emailVerifiedAt == nil:
                row(
                    say("web.address_waits", ["email": .text(own.typed)]), say("page.unconfirmed_what"),
                    say("page.send_link"))
            case nil: nil
            }
        return PageSection(
            "profile", say("web.profile"), help: say("page.profile_what"), facts: facts,
            rows: waiting.map { [$0] } ?? [],
            actions: [.link(say("web.edit_profile"), AccountType.profile.traits.page)])
    }

    private func password(of account: Account) async throws(AccountError) -> PageSection {
        var state = say(account.passwordHash == nil ? "page.password_none" : "page.password_set")
        if account.passwordHash != nil,
            let event = try await request.service.passwordEvent(of: account.id, in: AccountService.ownerScan)
        {
            let time: [String: RuleFailure.Value] = ["time": .text(ago(event.time))]
            state = event.isChange ? say("page.password_changed", time) : say("page.password_set_at", time)
        }
        return PageSection(
            "password", say("page.password"),
            help: say(
                "page.password_what", ["count": .integer(request.service.settings.preset.minimumLength)]),
            rows: [
                PageRow(
                    state,
                    action: .link(
                        say("page.change"), AccountType.changePassword.traits.page,
                        describedAs: say("web.change_password")))
            ])
    }

    private func passkeys(of factors: FactorStatus) -> PageSection? {
        guard offersPasskeys || !factors.passkeys.isEmpty else { return nil }
        let rows = factors.passkeys.map { passkey in
            PageRow(
                passkey.name, icon: .key,
                [say("page.added", ["time": .text(ago(passkey.createdAt))]) + " · " + used(passkey.lastUsedAt)],
                action: .link(
                    say("web.remove"), AccountPage.removalPath + "?passkey=" + passkey.id,
                    describedAs: say("web.passkey_remove", ["name": .text(passkey.name)])))
        }
        return PageSection(
            "passkeys", say("web.passkeys"), help: say("web.passkeys_explained"),
            rows: rows.isEmpty ? [PageRow(say("web.no_passkeys"), [say("page.no_passkeys_what")])] : rows,
            addsPasskey: offersPasskeys)
    }

    private func authenticator(of factors: FactorStatus) -> PageSection {
        let row =
            if let app = factors.authenticator {
                PageRow(
                    say("page.app_added", ["time": .text(ago(app.createdAt))]), badge: PageBadge(say("page.on"), .good),
                    action: .link(
                        say("web.remove"), AccountPage.removalPath, describedAs: say("web.remove_factor")))
            } else {
                PageRow(
                    say("page.app_none"), [say("web.second_factor_explained")],
                    action: .link(
                        say("page.set_up"), AccountType.addFactor.traits.page, describedAs: say("web.add_factor")))
            }
        return PageSection("app", say("page.app"), help: say("page.app_what"), rows: [row])
    }

    private func savedCodes(of factors: FactorStatus) -> PageSection? {
        guard factors.hasFactor else { return nil }
        return PageSection(
            "codes", say("page.codes"), help: say("page.codes_what"),
            rows: [
                PageRow(
                    say(
                        "page.saved_codes",
                        ["count": .integer(factors.savedCodes), "total": .integer(AccountService.savedCodeCount)]),
                    action: .link(say("web.new_codes"), AccountPage.newCodesPath))
            ])
    }

    private func sessions(_ all: [Session], own: Session, isShort: Bool) -> PageSection {
        let ordered = all.filter { $0.digest == own.digest } + all.filter { $0.digest != own.digest }
        let rows = (isShort ? Array(ordered.prefix(Self.shownSessions)) : ordered).map { session in
            let (program, address) = session.places
            let name = program.isEmpty ? say("page.unknown_device") : program
            let isOwn = session.digest == own.digest
            let facts = [address, since(session.createdAt), isOwn ? "" : used(session.lastUsedAt)]
            return PageRow(
                name, icon: DeviceName.icon(of: program),
                badge: isOwn ? PageBadge(say("web.this_session"), .good) : nil,
                [facts.filter { !$0.isEmpty }.joined(separator: " · ")],
                action: isOwn
                    ? nil
                    : .button(
                        say("web.end"), AccountPage.sessionsPath, doing: session.shortID, named: "end",
                        describedAs: say(
                            "web.end_of",
                            ["device": .text([name, address].filter { !$0.isEmpty }.joined(separator: ", "))])))
        }
        var actions: [PageAction] = []
        if isShort, all.count > Self.shownSessions {
            actions.append(
                .link(say("page.all_sessions", ["count": .integer(all.count)]), AccountPage.sessionsPath))
        }
        if all.count > 1 {
            actions.append(
                .button(say("web.end_others"), AccountPage.sessionsPath, doing: "others", named: "end"))
        }
        // The page with all sessions has their name as its heading.
        let title = isShort ? say("web.sessions") : say("page.sessions_count", ["count": .integer(all.count)])
        return PageSection("sessions", title, help: say("page.sessions_what"), rows: rows, actions: actions)
    }

    private func appPasswords(_ all: [AppPassword]) -> PageSection {
        let rows = all.map { password in
            PageRow(
                password.name,
                [say("page.added", ["time": .text(ago(password.createdAt))]) + " · " + used(password.lastUsedAt)],
                action: .button(
                    say("web.remove"), AccountPage.appPasswordsPath, doing: password.id, named: "remove",
                    describedAs: say("page.remove_of", ["name": .text(password.name)])))
        }
        return PageSection(
            "app-passwords", say("page.app_passwords"), help: say("page.app_passwords_what"),
            rows: rows.isEmpty ? [PageRow(say("page.none_yet"))] : rows,
            actions: [.link(say("page.app_password_new"), AccountPage.appPasswordsPath)])
    }

    private func applications(_ token: Secret) async throws(AccountError) -> [PageSection] {
        guard request.service.settings.openID.isEnabled else { return [] }
        let connected = try await request.service.connectedClients(token: token)
        let rows = connected.map { application in
            let name = application.client.settings.name
            let fields = request.forms.form(for: .setup).fields
            let scopes = application.scopes.compactMap { ScopeWords.words(for: $0, fields, request.messages) }
            return PageRow(
                name, [(scopes + [used(application.lastUsedAt)]).joined(separator: " · ")],
                action: .button(
                    say("web.disconnect"), AccountPage.applicationsPath, doing: application.client.id,
                    named: "disconnect", describedAs: say("web.disconnect_of", ["application": .text(name)])))
        }
        return [
            PageSection(
                "applications", say("web.applications"), help: say("web.applications_explained"),
                rows: rows.isEmpty ? [PageRow(say("page.none_yet"), [say("page.applications_none")])] : rows)
        ]
    }

    private var data: PageSection {
        PageSection(
            "data", say("page.data"), help: say("page.data_what"),
            rows: [
                PageRow(
                    say("page.download"), [say("page.download_what")],
                    action: .link(
                        say("page.download_short"), AccountPage.dataPath, describedAs: say("page.download"))),
                PageRow(
                    say("web.delete_account"), [say("web.delete_explained")],
                    action: .link(
                        say("page.delete"), AccountType.deleteAccount.traits.page,
                        describedAs: say("web.delete_account"), isDangerous: true)),
            ])
    }

    // MARK: Your data

    /// The page that explains the file, or the file.
    func dataPage() async -> HTTPResponse {
        let section = PageSection(
            "file", say("page.download_content"), help: say("page.download_what"),
            rows: [PageRow(say("page.download_content_what"))],
            actions: [.button(say("page.download_short"), AccountPage.dataPath, doing: "download")])
        return html(AccountPage(say("page.download"), [.section(section)], on: await accountSite()).html)
    }

    func downloadData() async -> HTTPResponse {
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: AccountPage.dataPath) }
        do throws(AccountError) {
            let data = try await request.service.personalData(token: token)
            return HTTPResponse(
                status: 200,
                headers: [
                    ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
                    ("Content-Disposition", #"attachment; filename="my-account.json""#),
                    ("X-Content-Type-Options", "nosniff"),
                ], body: .bytes(Array((data.encoded + "\n").utf8)))
        } catch .reauthenticationNeeded {
            return redirection(to: .reauthenticate, returningTo: AccountPage.dataPath)
        } catch .noSession {
            return redirection(to: .login, returningTo: AccountPage.dataPath)
        } catch {
            return failure(error)
        }
    }

    // MARK: App passwords

    private var appPasswordForm: Form {
        Form(
            id: "app-password", title: say("page.app_password_new"), submit: say("page.app_password_create"),
            fields: [
                PageFormField(
                    .appPasswordName, say("page.app_password_name"), help: say("page.app_password_name_what"),
                    rules: [RequiredRule(), MaxLengthRule(AppPassword.maximumNameLength, unit: .scalars)])
            ])
    }

    func appPasswordPage() async -> HTTPResponse {
        await form(FormViewModel(form: appPasswordForm, messages: request.messages), at: AccountPage.appPasswordsPath)
    }

    /// A form of the account that belongs to no flow.
    private func form(_ model: FormViewModel, at path: String, status: Int = 200) async -> HTTPResponse {
        var site = await accountSite()
        site.offersPasskeys = false
        return html(FormPage(model.form, model.state, on: site, postingTo: path).html, status: status)
    }

    /// Creates an app password and shows it once, or removes one.
    func changeAppPasswords() async -> HTTPResponse {
        let path = AccountPage.appPasswordsPath
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: path) }
        let removed = Submission.value(of: "remove", in: request.http.body)
        do throws(AccountError) {
            if let removed {
                _ = try await request.service.revokeAppPassword(removed, token: token)
                return redirection(to: "/account?note=app_password_removed")
            }
            guard let submission = try? Submission(urlEncoded: request.http.body, for: appPasswordForm) else {
                return notice(400, "page.bad_request")
            }
            let model = FormViewModel(
                form: appPasswordForm, filling: submission.values, messages: request.messages)
            guard request.validate(model).isEmpty, let name = model.takeCredentials()?.text(.appPasswordName) else {
                return await form(model, at: path, status: 422)
            }
            guard let (_, text) = try await request.service.createAppPassword(token: token, name: name) else {
                return notice(409, "page.too_many_app_passwords")
            }
            return html(
                AccountPage(
                    say("page.app_password_new"),
                    [
                        .secret(
                            title: say("page.app_password_made", ["name": .text(name)]),
                            help: say("page.app_password_made_what"), label: say("page.app_password"), text)
                    ], on: await accountSite()
                ).html)
        } catch .refused(let failures) {
            let model = FormViewModel(form: appPasswordForm, messages: request.messages)
            model.callBegan()
            model.callEnded(
                NetworkResponse.refused(.validationFailed, failures).alert(in: model.form, request.messages))
            return await form(model, at: path, status: 422)
        } catch .reauthenticationNeeded {
            return redirection(to: .reauthenticate, returningTo: removed == nil ? path : "/account")
        } catch .noSession {
            return redirection(to: .login, returningTo: path)
        } catch {
            return failure(error)
        }
    }

    // MARK: Names of passkeys

    private var passkeyForm: Form {
        Form(
            id: "passkey-name", title: say("note.passkey_added"), submit: say("page.passkey_name_save"),
            fields: [
                PageFormField(
                    "name", say("page.passkey_name"), help: say("web.passkey_name_help"),
                    rules: [RequiredRule(), MaxLengthRule(64, unit: .scalars)])
            ])
    }

    /// Asks for the name of a new passkey.
    func passkeyNamePage() async -> HTTPResponse {
        let id = request.http.target["passkey"] ?? ""
        guard let token = request.cookieToken, let factors = try? await request.service.factors(token: token),
            let passkey = factors.passkeys.first(where: { $0.id == id })
        else { return redirection(to: "/account") }
        let model = FormViewModel(
            form: passkeyForm, carrying: ["name": .text(passkey.name)], messages: request.messages)
        return await form(model, at: passkeyNamePath(id, returnTo: checkedReturn(request.http.target["return"])))
    }

    /// The path of the page for the name of a passkey.
    func passkeyNamePath(_ id: String, returnTo place: String?) -> String {
        AccountPage.passkeyNamePath + "?passkey=" + PercentEncoding.encoded(id)
            + (place.map { "&return=" + PercentEncoding.encoded($0, allowing: "/:") } ?? "")
    }

    func namePasskey() async -> HTTPResponse {
        let id = request.http.target["passkey"] ?? ""
        let place = checkedReturn(request.http.target["return"])
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: "/account") }
        guard let submission = try? Submission(urlEncoded: request.http.body, for: passkeyForm) else {
            return notice(400, "page.bad_request")
        }
        let model = FormViewModel(form: passkeyForm, filling: submission.values, messages: request.messages)
        guard request.validate(model).isEmpty, let name = model.takeCredentials()?.text("name") else {
            return await form(model, at: passkeyNamePath(id, returnTo: place), status: 422)
        }
        do throws(AccountError) {
            try await request.service.renamePasskey(id, to: name, token: token)
            return redirection(to: place ?? "/account?note=passkey_added")
        } catch .noSession {
            return redirection(to: .login, returningTo: "/account")
        } catch {
            return failure(error)
        }
    }
}
