import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// The pages: a form for each flow, and the account of the logged-in user.
enum PageRoutes {
    static func routes(of site: ServiceSite) -> [Route] {
        var routes: [Route] = [
            .page("GET", "/", .open()) { page, _ in await page.start() },
            .page("GET", "/account", .session()) { page, live in await page.accountPage(live) },
            .page("GET", AccountPage.sessionsPath, .session()) { page, _ in await page.sessionsPage() },
            .page("POST", AccountPage.sessionsPath, .form(.session)) { page, _ in await page.endSessions() },
            .page("GET", AccountPage.dataPath, .session(isRecent: true)) { page, _ in await page.dataPage() },
            .page("POST", AccountPage.dataPath, .form(.session)) { page, _ in await page.downloadData() },
            .page("GET", AccountPage.appPasswordsPath, .session(isRecent: true)) { page, _ in
                await page.appPasswordPage()
            },
            .page("POST", AccountPage.appPasswordsPath, .form(.session)) { page, _ in
                await page.changeAppPasswords()
            },
            .page("GET", AccountPage.passkeyNamePath, .session()) { page, _ in await page.passkeyNamePage() },
            .page("POST", FormPage.addressPath, .form(.session)) { page, _ in await page.changeWaitingAddress() },
            .page("POST", AccountPage.passkeyNamePath, .form(.session)) { page, _ in await page.namePasskey() },
            .page("POST", AccountPage.applicationsPath, .form(.session)) { page, _ in
                await page.disconnectApplication()
            },
            .page("POST", AccountPage.factorsPath, .form(.session)) { page, _ in await page.changeFactors() },
            .page("GET", AccountPage.removalPath, .session(isRecent: true)) { page, _ in
                await page.askBeforeRemoval()
            },
            .page("GET", AccountPage.newCodesPath, .session(isRecent: true)) { page, _ in
                await page.askBeforeNewCodes()
            },
            .page("POST", "/logout", .form()) { page, _ in await page.logOut() },
            // Where password managers look for the page (W3C, "A Well-Known URL for Changing Passwords").
            .page("GET", "/.well-known/change-password", .open()) { page, _ in
                page.redirection(to: AccountType.changePassword.traits.page)
            },
            // Browsers ask for it if a response names no icon.
            .page("GET", "/favicon.ico", .open()) { page, _ in page.redirection(to: WebAssets.icon.path) },
        ]
        for flow in AccountType.allCases {
            let path = flow.traits.page
            routes.append(.page("GET", path, .page(of: flow)) { page, live in await page.show(flow, live) })
            routes.append(.page("POST", path, .form(flow.proof)) { page, _ in await page.submit(flow) })
        }
        routes += PasskeyPages.routes(of: site)
        for asset in WebAssets.all + site.configuration.theme.assets {
            routes.append(.page("GET", asset.path, .open()) { _, _ in HTTPResponse(asset) })
        }
        return routes
    }
}

extension HTTPResponse {
    /// A file whose path changes with its content, so that browsers can cache it permanently.
    fileprivate init(_ asset: WebAssets) {
        self.init(
            status: 200,
            headers: [
                ("Content-Type", asset.mediaType), ("Cache-Control", "public, max-age=31536000, immutable"),
                ("X-Content-Type-Options", "nosniff"),
                // If a browser opens the logo directly, it is a document of our origin, so it must not run scripts.
                ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
            ], body: .bytes(asset.bytes))
    }
}

extension PageRequest {
    /// The start page: sign-up if the store has no account; otherwise the account or the login.
    fileprivate func start() async -> HTTPResponse {
        if request.cookieToken != nil { return redirection(to: "/account") }
        return redirection(to: await request.dependency(storingIn: tokens()).opensWith().traits.page)
    }

    // MARK: Forms

    /// The page of a flow.
    ///
    /// - Parameter live: the session that the gate has verified; nil if the flow needs none.
    fileprivate func show(_ flow: AccountType, _ live: LiveSession?) async -> HTTPResponse {
        do throws(Refusal) {
            let invitation = flow == .setup ? request.http.target["invitation"] : nil
            try await refuseUninvited(flow, invitation)
            if request.signUpIsOpen, let invitation,
                await !request.isInvitation(Secret(copying: invitation.utf8Span.span))
            {
                return redirection(
                    to: .setup, note: "invitation_over", returningTo: checkedReturn(request.http.target["return"]))
            }
            if flow == .addFactor {
                if let live {
                    let factors = try? await request.service.factors(of: .id(live.account.id))
                    if factors?.authenticator != nil { return redirection(to: "/account") }
                }
                return await enrolmentPage()
            }
            // An application may ask for a different account than the current one.
            let isChoice = request.http.target[WebSite.otherAccount.name] == WebSite.otherAccount.value
            if flow == .login, !isChoice, let token = request.cookieToken, await hasSession(token) {
                // The site that sent the browser here did not accept its ticket, which another host may have replaced.
                var response = redirection(to: destination)
                response.headers += ticketCookies(for: token)
                return response
            }
            var present = flow == .profile ? live?.account.present ?? [:] : [:]
            guard flow == .login else {
                return await page(of: model(of: flow, carrying: present), for: flow, invitation: invitation)
            }
            let hint = await loginHint(returningTo: request.http.target["return"])
            if let name = hint ?? rememberedName { present[.username] = .text(name) }
            var response = await page(of: model(of: flow, carrying: present), for: flow)
            if !request.http.headers.cookies(request.nameCookieName).isEmpty {
                response.headers.append(nameCookie(storing: nil))
            }
            return response
        } catch {
            return error.response
        }
    }

    /// Submits the form of a flow.
    fileprivate func submit(_ flow: AccountType) async -> HTTPResponse {
        do throws(Refusal) {
            let form = request.forms.form(for: flow)
            guard request.http.mediaType == "application/x-www-form-urlencoded",
                var submission = try? Submission(urlEncoded: request.http.body, for: form)
            else { throw Refusal(notice(400, "page.bad_request")) }
            try await refuseUninvited(flow, submission.invitation)
            if flow == .resetPassword, submission.values[.password] == nil, submission.values[.code] != nil {
                // The code alone, from the page that names the address.
                return await page(
                    of: self.model(of: flow), for: flow, returnTo: submission.returnTo, keeping: submission)
            }
            let present = flow == .profile ? try await profile().account.present : [:]
            let model =
                flow == .addFactor
                ? enrolment(step: submission.values[.code] == nil ? .begin : .code, filling: submission.values)
                : model(of: flow, carrying: present, filling: submission.values)
            guard request.validate(model).isEmpty, let credentials = model.takeCredentials() else {
                return await page(
                    of: model, for: flow, status: 422, returnTo: submission.returnTo,
                    invitation: submission.invitation,
                    authenticator: flow == .addFactor ? await waitingAuthenticator() : nil, keeping: submission)
            }
            if flow == .setup, submission.invitation == nil, request.service.settings.verifiesEmail {
                // With it, a person who mistyped the address signs up again with the same username.
                submission.invitation = (try? request.service.newSignUpSecret())?.shownText
            }
            let tokens = self.tokens()
            let returning = PageRequest(request.returning(to: checkedReturn(submission.returnTo)))
            let (destination, response) = await returning.call(flow, credentials, tokens, submission.invitation)
            return await answer(response, to: flow, leadingTo: destination, model, tokens, submission)
        } catch {
            return error.response
        }
    }

    /// Performs the call of a flow and, after a sign-up, the login.
    private func call(
        _ flow: AccountType, _ credentials: Credentials, _ tokens: RequestTokens, _ invitation: String?
    ) async -> (Destination, NetworkResponse) {
        if let refusal = await request.spend(on: flow) { return (flow.destination(after: refusal), refusal) }
        let response = await request.perform(
            flow, with: credentials, tokens, invitation: invitation.map { Secret(copying: $0.utf8Span.span) })
        let destination = flow.destination(after: response)
        guard let login = flow.login(after: response, to: credentials) else { return (destination, response) }
        let signIn = await request.perform(.login, with: login, tokens)
        switch AccountType.login.destination(after: signIn) {
        case .signedIn: return (.signedIn, response)
        case .push(let next): return (.push(next), signIn)
        // The account was created, but its owner must log in separately.
        case .replace, .stay, .back, .ignored: return (destination, response)
        }
    }

    private func answer(
        _ response: NetworkResponse, to flow: AccountType, leadingTo destination: Destination, _ model: FormViewModel,
        _ tokens: RequestTokens, _ submission: Submission
    ) async -> HTTPResponse {
        if response.code == .enrolmentStarted { return await enrolmentPage(response, returnTo: submission.returnTo) }
        if response.code == .noSession { return loginAgain(for: flow, returnTo: submission.returnTo) }
        if flow == .setup && response.code == .codeSent || flow == .forgotPassword && response.outcome == .success {
            return await checkEmailPage(model, isSignUp: flow == .setup || submission.isSignUp, submission)
        }
        guard destination == .stay, !response.isProgress else {
            var answer = await move(to: destination, from: flow, after: response, tokens, returnTo: submission.returnTo)
            if flow == .resetPassword, let name = submission.account, isSuggestion(name) {
                answer.headers.append(nameCookie(storing: name))
            }
            return answer
        }
        model.callBegan()
        model.callEnded(response.alert(in: model.form, request.messages))
        let status = response.publicStatus
        var answer = await page(
            of: model, for: flow, status: status == 429 || status == 503 ? status : 422,
            returnTo: submission.returnTo, invitation: submission.invitation,
            authenticator: flow == .addFactor ? await waitingAuthenticator() : nil, keeping: submission)
        if let wait = model.state.alert?.retryAfter {
            answer.add("Retry-After", String(wait.wholeSecondsRoundedUp))
        }
        return answer
    }

    /// The page after a message was requested, with the address as it was typed.
    private func checkEmailPage(_ model: FormViewModel, isSignUp: Bool, _ submission: Submission) async -> HTTPResponse
    {
        var site = webSite(isSignedIn: false, returnTo: checkedReturn(submission.returnTo))
        site.application = await destinationName(of: site.returnTo)
        site.invitation = submission.invitation
        if let flow = model.form.accountType {
            request.site.events.emit(.navigation(.moved(from: flow, to: .resetPassword, .answer)))
        }
        let field = request.forms.form(for: .forgotPassword).fields.first?.apiKey ?? .email
        let typed = submission.values[isSignUp && submission.values[field] == nil ? .email : field]
        let address = if case .bytes(let text)? = typed { text.textIfValid ?? "" } else { "" }
        let lifetime = request.messages.completed(by: .accounts).duration(
            seconds: Int(RecoveryCode.lifetime.components.seconds))
        return html(
            CheckEmailPage(
                to: address, isSignUp: isSignUp, isAgain: submission.isAgain, worksFor: lifetime, again: field, on: site
            ).html)
    }

    /// Redirects to the login, because the session or the pending login that the page requires has ended.
    private func loginAgain(for flow: AccountType, returnTo: String?) -> HTTPResponse {
        guard pendingToken != nil || flow == .secondFactor || flow == .addFactor && request.cookieToken == nil else {
            return redirection(to: .login, returningTo: request.http.target.rawPath)
        }
        // The browser deletes the cookie of a pending login when it expires.
        var response = redirection(to: .login, note: "expired", returningTo: returnTo)
        response.headers.append(pendingCookie(storing: nil))
        return response
    }

    /// Redirects the browser to a destination, or shows saved codes with a link to it. Sets the cookies.
    func move(
        to destination: Destination, from flow: AccountType, after response: NetworkResponse, _ tokens: RequestTokens,
        returnTo: String?
    ) async -> HTTPResponse {
        switch destination {
        case .push(let next), .replace(let next):
            request.site.events.emit(.navigation(.moved(from: flow, to: next, .answer)))
        case .stay, .back, .signedIn, .ignored: break
        }
        let place = place(of: destination, from: flow, after: response, returnTo: returnTo)
        var answer =
            if case .savedCodes(let codes)? = response.disclosure {
                html(SavedCodesPage(codes, next: place, on: await accountSite(tokens.new)).html)
            } else {
                redirection(to: place)
            }
        guard response.isProgress else {
            if let pending = tokens.newPending { answer.headers.append(pendingCookie(storing: pending)) }
            return answer
        }
        if let token = tokens.new { answer.headers += cookies(storing: token, device: tokens.newDevice) }
        if flow.traits.session == .ends { answer.headers += cookieDeletions }
        if pendingToken != nil { answer.headers.append(pendingCookie(storing: nil)) }
        return answer
    }

    /// The path of a destination. Pages have no navigation stack, so the page to return to is part of the path.
    private func place(
        of destination: Destination, from flow: AccountType, after response: NetworkResponse, returnTo: String?
    ) -> String {
        let note = response.note(of: flow)
        switch destination {
        case .signedIn: return checkedReturn(returnTo) ?? "/account" + (note.map { "?note=" + $0 } ?? "")
        case .push(.reauthenticate): return path(of: .reauthenticate, returningTo: request.http.target.rawPath)
        case .push(let next), .replace(let next):
            // After a recovery, the login leads on to where the person wanted to go, and so does a required new password.
            let isKept = !response.isProgress || flow == .resetPassword || next == .changePassword
            return path(of: next, note: note, returningTo: isKept ? checkedReturn(returnTo) : nil)
        case .stay, .ignored: return path(of: flow, note: note, returningTo: nil)
        case .back: return path(of: .login, note: "expired", returningTo: returnTo)
        }
    }

    /// The authenticator app that the browser is setting up, so that a wrong code does not lose its QR code.
    private func waitingAuthenticator() async -> (uri: Secret, secret: Secret)? {
        guard let owner = factorOwner,
            let waiting = (try? await request.service.waitingAuthenticator(for: owner)) ?? nil
        else { return nil }
        return (waiting.uri, waiting.typeableSecret)
    }

    enum EnrolmentStep { case begin, code }

    /// The form of one step of setting up an authenticator app: first only a button, then the field for a code from the
    /// app.
    func enrolment(step: EnrolmentStep, filling inputs: [FieldKey: FieldInput] = [:]) -> FormViewModel {
        let form = request.forms.form(for: .addFactor)
        let code = form.codeStep(title: form.title, submit: form.submit)
        return FormViewModel(
            form: step == .code ? code ?? form : form.without(.code), filling: inputs, messages: request.messages)
    }

    /// The page that sets up an authenticator app. A reload within five minutes shows the same secret, because phones
    /// reload a page after a visit to the app. After that, the page makes a new one: someone may have seen the old one.
    private func enrolmentPage() async -> HTTPResponse {
        guard let owner = factorOwner else { return loginAgain(for: .addFactor, returnTo: nil) }
        let returnTo = request.http.target["return"]
        do throws(AccountError) {
            let waiting = try await request.service.waitingAuthenticator(
                for: owner, youngerThan: FactorChallenge.lifetime)
            let shown: NewAuthenticator
            if let waiting { shown = waiting } else { shown = try await request.service.beginAuthenticator(for: owner) }
            return await page(
                of: enrolment(step: .code), for: .addFactor, authenticator: (shown.uri, shown.typeableSecret))
        } catch .noSession {
            return loginAgain(for: .addFactor, returnTo: returnTo)
        } catch {
            return failure(error)
        }
    }

    /// The page that shows the secret of a new authenticator app and the field for a code.
    private func enrolmentPage(_ response: NetworkResponse, returnTo: String?) async -> HTTPResponse {
        guard case .authenticator(let uri, let secret)? = response.disclosure else { return failure(.noRandomness) }
        let model = enrolment(step: .code)
        model.callBegan()
        model.callEnded(response.alert(in: model.form, request.messages))
        return await page(
            of: model, for: .addFactor, returnTo: returnTo, authenticator: (uri, secret))
    }

    // MARK: Refusals

    private func refuseUninvited(_ flow: AccountType, _ invitation: String?) async throws(Refusal) {
        let invitation = invitation.map { Secret(copying: $0.utf8Span.span) }
        guard flow == .setup, await !request.maySignUp(with: invitation) else { return }
        throw Refusal(notice(403, "page." + request.signUpRefusal))
    }

    private func hasSession(_ token: Secret) async -> Bool { (try? await request.service.session(for: token)) != nil }

    /// The session with which the user may change the profile.
    private func profile() async throws(Refusal) -> LiveSession {
        try await live(returningTo: AccountType.profile.traits.page, isRecent: true)
    }
}

extension NetworkResponse {
    /// Whether the flow advances, even if only to a required password change.
    fileprivate var isProgress: Bool { outcome == .success || outcome == .mustChangePassword }

    /// The code of the sentence that the next page shows; nil if there is none.
    func note(of flow: AccountType) -> String? {
        switch code {
        case .success: flow.traits.note
        case .codeSent: "sent"
        case .passwordReset: "set"
        case .changeRequired: "change"
        case .enrolmentRequired: "factor_needed"
        default: nil
        }
    }
}
