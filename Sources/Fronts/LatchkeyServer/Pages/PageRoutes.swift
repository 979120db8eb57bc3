import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// The pages: a form for each flow, and the account of whoever is signed in.
enum PageRoutes {
    /// The flows that have a page.
    private static let flows = AccountType.allCases

    static func routes(of site: ServiceSite) -> [Router.Route] {
        var routes = [
            site.route("GET", "/") { call, _ in await call.start() },
            site.route("GET", "/account") { call, _ in await call.accountPage() },
            site.route("POST", "/account/sessions") { call, _ in await call.endSessions() },
            site.route("POST", AccountPage.factorsPath) { call, _ in await call.changeFactors() },
            site.route("GET", AccountPage.removalPath) { call, _ in await call.askBeforeRemoval() },
            site.route("POST", "/logout") { call, _ in await call.logOut() },
        ]
        for flow in flows {
            routes.append(site.route("GET", flow.traits.page) { call, _ in await call.show(flow) })
            routes.append(site.route("POST", flow.traits.page) { call, _ in await call.submit(flow) })
        }
        routes += PasskeyPages.routes(of: site)
        for asset in WebAssets.all + site.configuration.theme.assets {
            routes.append(Router.Route("GET", asset.path) { _, _ in HTTPResponse(asset) })
        }
        return routes
    }
}

extension HTTPResponse {
    /// A file whose path changes with its content, so that browsers never ask for it again.
    fileprivate init(_ asset: WebAssets) {
        self.init(
            status: 200,
            headers: [
                ("Content-Type", asset.mediaType), ("Cache-Control", "public, max-age=31536000, immutable"),
                ("X-Content-Type-Options", "nosniff"),
                // A logo that somebody opens by itself is a document of our origin: it may run nothing.
                ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
            ], body: .bytes(asset.bytes))
    }
}

extension Call {
    /// The first page: sign-up while no account exists, the account or the login after that.
    fileprivate func start() async -> HTTPResponse {
        if cookieToken != nil { return redirect(to: "/account") }
        let hasAccounts = (try? await service.hasAccounts()) ?? true
        return redirect(to: (hasAccounts || !signUpIsOpen ? AccountType.login : .setup).traits.page)
    }

    // MARK: Forms

    /// The page of a flow.
    fileprivate func show(_ flow: AccountType) async -> HTTPResponse {
        do throws(PageRefusal) {
            let invitation = flow == .setup ? request.target["invitation"] : nil
            try await refuseUninvited(flow, invitation)
            if flow == .secondFactor, pendingToken == nil { return redirect(to: AccountType.login.traits.page) }
            if flow == .addFactor {
                if pendingToken == nil {
                    let id = try await live(for: flow).account.id
                    let factors = try? await service.factors(of: .id(id))
                    if factors?.authenticator != nil { return redirect(to: "/account") }
                }
                return await page(of: enrolment(step: .begin), for: flow)
            }
            guard flow.traits.token.isOfSession else {
                if flow == .login, let token = cookieToken, await hasSession(token) { return redirect(to: destination) }
                return await page(of: model(of: flow), for: flow, invitation: invitation)
            }
            let live = try await live(for: flow)
            return await page(of: model(of: flow, carrying: flow == .profile ? live.account.present : [:]), for: flow)
        } catch {
            return error.response
        }
    }

    /// The answers to the form of a flow.
    fileprivate func submit(_ flow: AccountType) async -> HTTPResponse {
        do throws(PageRefusal) {
            try refuseCrossOrigin()
            let form = forms.form(for: flow)
            guard request.mediaType == "application/x-www-form-urlencoded",
                let submission = try? Submission(urlEncoded: request.body, for: form)
            else { throw PageRefusal(notice(400, "page.bad_request")) }
            try await refuseUninvited(flow, submission.invitation)
            let present = flow == .profile ? try await live(for: flow).account.present : [:]
            let model =
                flow == .addFactor
                ? enrolment(step: submission.values[.code] == nil ? .begin : .code)
                : model(of: flow, carrying: present)
            submission.fill(model)
            guard case .valid = model.validateForm(), let credentials = model.takeCredentials() else {
                return await page(
                    of: model, for: flow, status: 422, returnTo: submission.returnTo,
                    invitation: submission.invitation)
            }
            let tokens = RequestTokens(cookieToken, pending: pendingToken, on: device)
            let response = await perform(flow, credentials, tokens, submission.invitation)
            return await answer(response, to: flow, model, tokens, submission)
        } catch {
            return error.response
        }
    }

    private func perform(
        _ flow: AccountType, _ credentials: Credentials, _ tokens: RequestTokens, _ invitation: String?
    ) async -> NetworkResponse {
        if let refusal = await refusal(of: flow) { return refusal }
        let networking = networking(tokens, invitation: invitation.map { Secret(copying: $0.utf8Span.span) })
        let response = await networking.perform(call: flow, with: credentials)
        guard flow == .setup, response.code == .success else { return response }
        // Nobody has to type again what they have just chosen.
        let login = await networking.perform(call: .login, with: credentials.forLogin)
        return login.code == .enrolmentRequired ? login : response
    }

    private func answer(
        _ response: NetworkResponse, to flow: AccountType, _ model: FormViewModel, _ tokens: RequestTokens,
        _ submission: Submission
    ) async -> HTTPResponse {
        switch (response.outcome, response.code) {
        case (.success, .enrolmentStarted): return await enrolmentPage(response, returnTo: submission.returnTo)
        case (.success, _), (.mustChangePassword, _):
            return succeeded(response, to: flow, tokens, returnTo: submission.returnTo)
        case (_, .factorRequired), (_, .enrolmentRequired):
            var redirection =
                response.code == .factorRequired
                ? redirect(to: .secondFactor, returningTo: submission.returnTo)
                : redirect(to: .addFactor, note: "factor_needed", returningTo: submission.returnTo)
            redirection.headers.append(pendingCookie(storing: tokens.newPending))
            return redirection
        // The browser deletes the cookie of a login when it expires.
        case (_, .noSession)
        where pendingToken != nil || flow == .secondFactor || flow == .addFactor && cookieToken == nil:
            var redirection = redirect(to: .login, note: "expired", returningTo: submission.returnTo)
            redirection.headers.append(pendingCookie(storing: nil))
            return redirection
        case (_, .noSession): return redirect(to: .login, returningTo: request.target.rawPath)
        case (_, .reauthenticationRequired): return redirect(to: .reauthenticate, returningTo: request.target.rawPath)
        default:
            model.callBegan()
            model.callEnded(response.alert(in: model.form, messages))
            let status = response.publicStatus
            var response = await page(
                of: model, for: flow, status: status == 429 || status == 503 ? status : 422,
                returnTo: submission.returnTo, invitation: submission.invitation)
            if let wait = model.state.alert?.retryAfter {
                response.add("Retry-After", String(wait.wholeSecondsRoundedUp))
            } else if status == 503 {
                response.add("Retry-After", "5")
            }
            return response
        }
    }

    /// The response to a success: the next page, or the saved codes with a link to it, and the cookies.
    func succeeded(
        _ response: NetworkResponse, to flow: AccountType, _ tokens: RequestTokens, returnTo: String?
    ) -> HTTPResponse {
        let next = next(after: response, to: flow, tokens, returnTo: returnTo)
        var answer =
            if case .savedCodes(let codes)? = response.disclosure {
                html(SavedCodesPage(codes, next: next, on: web(isSignedIn: true)).html)
            } else {
                redirect(to: next)
            }
        if let token = tokens.new { answer.headers += cookies(storing: token, device: tokens.newDevice) }
        if flow.traits.session == .ends { answer.headers += cookieDeletions }
        if pendingToken != nil { answer.headers.append(pendingCookie(storing: nil)) }
        return answer
    }

    /// Where a success leads.
    private func next(
        after response: NetworkResponse, to flow: AccountType, _ tokens: RequestTokens, returnTo: String?
    ) -> String {
        if response.outcome == .mustChangePassword { return AccountType.changePassword.traits.page + "?note=change" }
        let isSignedIn = tokens.new != nil
        switch flow {
        case .login, .reauthenticate, .addFactor: return checkedReturn(returnTo) ?? "/account"
        case .secondFactor where response.code == .passwordReset: return AccountType.login.traits.page + "?note=set"
        case .secondFactor: return checkedReturn(returnTo) ?? "/account"
        case .setup where response.code == .codeSent: return AccountType.resetPassword.traits.page + "?note=sent"
        case .setup:
            return isSignedIn ? checkedReturn(returnTo) ?? "/account?note=welcome" : AccountType.login.traits.page
        case .forgotPassword: return AccountType.resetPassword.traits.page + "?note=sent"
        case .resetPassword: return AccountType.login.traits.page + "?note=set"
        case .changePassword: return "/account?note=changed"
        case .profile where response.code == .codeSent: return AccountType.profile.traits.page + "?note=sent"
        case .profile: return "/account?note=saved"
        case .deleteAccount: return AccountType.login.traits.page + "?note=deleted"
        }
    }

    enum EnrolmentStep { case begin, code }

    /// The form of one step of setting up an authenticator app: first a button alone, and then the code of the app.
    func enrolment(step: EnrolmentStep) -> FormViewModel {
        let form = forms.form(for: .addFactor)
        let code = form.codeStep(title: form.title, submit: form.submit)
        return FormViewModel(form: step == .code ? code ?? form : form.without(.code), messages: messages)
    }

    /// The page that shows a new authenticator app its secret and asks for a code of it.
    private func enrolmentPage(_ response: NetworkResponse, returnTo: String?) async -> HTTPResponse {
        guard case .authenticator(let uri, let secret)? = response.disclosure else { return failure(.noRandomness) }
        let model = enrolment(step: .code)
        model.callBegan()
        model.callEnded(response.alert(in: model.form, messages))
        return await page(
            of: model, for: .addFactor, returnTo: returnTo, authenticator: (uri, secret))
    }

    // MARK: Refusals

    /// Refuses a change that a page of another site asks for.
    func refuseCrossOrigin() throws(PageRefusal) {
        guard isSameOrigin else { throw PageRefusal(notice(403, "page.cross_origin")) }
    }

    private func refuseUninvited(_ flow: AccountType, _ invitation: String?) async throws(PageRefusal) {
        guard flow == .setup, await !maySignUp(with: invitation.map { Secret(copying: $0.utf8Span.span) }) else {
            return
        }
        throw PageRefusal(notice(403, "page." + signUpRefusal))
    }

    private func hasSession(_ token: Secret) async -> Bool { (try? await service.session(for: token)) != nil }

    /// The session for a page of the account.
    ///
    /// - Parameters:
    ///   - flow: nil for the overview.
    ///   - path: where to come back to after a login; nil for the page of the flow.
    func live(for flow: AccountType?, at path: String? = nil) async throws(PageRefusal) -> LiveSession {
        let path = path ?? flow?.traits.page ?? "/account"
        guard let token = cookieToken else { throw PageRefusal(redirect(to: .login, returningTo: path)) }
        do throws(AccountError) {
            let live = try await service.session(for: token)
            // A session of any other scope may only change the password.
            guard live.session.scope == .full || flow == .changePassword else {
                throw AccountError.mustChangePassword
            }
            if flow?.traits.needsRecentPassword == true, !service.isRecentlyAuthenticated(live.session) {
                throw .reauthenticationNeeded
            }
            return live
        } catch .noSession {
            throw PageRefusal(redirect(to: .login, returningTo: path))
        } catch .mustChangePassword {
            throw PageRefusal(redirect(to: AccountType.changePassword.traits.page + "?note=change"))
        } catch .reauthenticationNeeded {
            throw PageRefusal(redirect(to: .reauthenticate, returningTo: path))
        } catch {
            throw PageRefusal(failure(error))
        }
    }
}

extension Credentials {
    /// What the account that was just created logs in with.
    fileprivate var forLogin: Credentials {
        let name = newUsername ?? text(.email) ?? ""
        var values: [FieldKey: Value] = [.username: .text(name)]
        if let password = secret(.password) { values[.password] = .secret(password) }
        return Credentials(values)
    }
}
