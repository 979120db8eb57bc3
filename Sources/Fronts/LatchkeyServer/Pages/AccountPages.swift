import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyWeb

/// The pages of the signed-in account.
extension PageRequest {
    func accountPage(_ live: LiveSession) async -> HTTPResponse {
        guard let token = request.cookieToken, let sessions = try? await request.service.sessions(token: token) else {
            return redirection(to: .login, returningTo: "/account")
        }
        let rows = sessions.all.map { session in
            AccountPage.Session(
                id: session.shortID,
                device: session.source.isEmpty ? request.messages.sentence("page.unknown_device") : session.source,
                lastUsed: ago(session.lastUsedAt),
                isCurrent: session.digest == sessions.own.digest)
        }
        let factors = try? await request.service.factors(token: token)
        var site = webSite(isSignedIn: true)
        site.isAdministrator = await request.administrator() != nil
        let page = AccountPage(
            of: live.account.name, values: values(of: live.account),
            factor: factors.flatMap(sentences), passkeys: factors.map(passkeys) ?? [],
            savedCodes: factors.flatMap { $0.authenticator == nil && !$0.passkeys.isEmpty ? codes(of: $0) : nil },
            sessions: rows, applications: await applications(token), notice: note, on: site)
        return html(page.html)
    }

    /// The applications that the owner has logged in to.
    private func applications(_ token: Secret) async -> [LatchkeyWeb.AccountPage.Application] {
        let connected = (try? await request.service.connectedClients(token: token)) ?? []
        return connected.map { application in
            LatchkeyWeb.AccountPage.Application(
                id: application.client.id, name: application.client.settings.name,
                access: application.scopes.filter { $0 != "openid" }.joined(separator: ", "),
                lastUsed: ago(application.lastUsedAt))
        }
    }

    /// Takes back the consent to an application, and ends its tokens.
    func disconnectApplication() async -> HTTPResponse {
        guard let token = request.cookieToken,
            let id = Submission.value(of: "disconnect", in: request.http.body)
        else { return redirection(to: .login, returningTo: "/account") }
        do throws(AccountError) {
            _ = try await request.service.withdrawConsent(to: id, token: token)
            return redirection(to: "/account?note=disconnected")
        } catch .noSession {
            return redirection(to: .login, returningTo: "/account")
        } catch {
            return failure(error)
        }
    }

    private func ago(_ time: Timestamp) -> String { request.messages.ago(time, now: request.service.clock.now()) }

    /// The passkeys, in the form in which the page displays them.
    private func passkeys(of factors: FactorStatus) -> [LatchkeyWeb.AccountPage.Passkey] {
        factors.passkeys.map { passkey in
            let used = ago(passkey.lastUsedAt ?? passkey.createdAt)
            return LatchkeyWeb.AccountPage.Passkey(id: passkey.id, name: passkey.name, lastUsed: used)
        }
    }

    /// The sentences about the second factors; nil if there are none.
    private func sentences(about factors: FactorStatus) -> [String]? {
        guard let authenticator = factors.authenticator else { return nil }
        let added = ago(authenticator.createdAt)
        return [request.messages.sentence("page.factor", ["time": .text(added)]), codes(of: factors)]
    }

    private func codes(of factors: FactorStatus) -> String {
        request.messages.sentence("page.saved_codes", ["count": .integer(factors.savedCodes)])
    }

    func askBeforeRemoval() async -> HTTPResponse {
        let passkey = request.http.target["passkey"].flatMap { $0.utf8.count <= 64 ? $0 : nil }
        let question = passkey == nil ? "page.remove_factor" : "page.remove_passkey"
        let change = passkey.map { "passkey:" + $0 } ?? "remove"
        let page = QuestionPage(
            request.messages.sentence(question),
            request.messages.sentence(await consequence(ofRemoving: passkey, question)),
            answer: request.messages.sentence("page.remove"), posting: (AccountPage.factorsPath, "change", change),
            on: webSite(isSignedIn: true))
        return html(page.html)
    }

    /// The code of the sentence about the consequence of removing a factor.
    private func consequence(ofRemoving passkey: String?, _ question: String) async -> String {
        guard let token = request.cookieToken, let factors = try? await request.service.factors(token: token) else {
            return question + "_what"
        }
        let left =
            factors.passkeys.count { $0.id != passkey } + (passkey != nil && factors.authenticator != nil ? 1 : 0)
        if left > 0 { return question + "_what.other" }
        return question + (request.service.settings.factors == .required ? "_what.required" : "_what")
    }

    func changeFactors() async -> HTTPResponse {
        let change = Submission.value(of: "change", in: request.http.body)
        let page = change == "remove" ? AccountPage.removalPath : "/account"
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: page) }
        do throws(AccountError) {
            switch change {
            case "codes":
                guard let codes = try await request.service.replaceSavedCodes(token: token) else { break }
                return html(SavedCodesPage(codes, next: "/account", on: webSite(isSignedIn: true)).html)
            case "remove":
                guard try await request.service.removeAuthenticator(token: token) else { break }
                return redirection(to: "/account?note=factor_removed")
            case let change? where change.hasPrefix("passkey:"):
                guard try await request.service.removePasskey(String(change.dropFirst(8)), token: token) else { break }
                return redirection(to: "/account?note=passkey_removed")
            default: return notice(400, "page.bad_request")
            }
            return redirection(to: "/account")
        } catch .noSession {
            return redirection(to: .login, returningTo: page)
        } catch .reauthenticationNeeded {
            return redirection(to: .reauthenticate, returningTo: page)
        } catch {
            return failure(error)
        }
    }

    /// The values of the profile to display.
    private func values(of account: Account) -> [(label: String, value: String)] {
        let present = account.present
        return request.forms.form(for: .profile).fields.compactMap { field in
            guard !field.isSecret, let value = present[field.apiKey], !value.isEmpty else { return nil }
            return (field.label, field.readable(value, request.messages))
        }
    }

    func endSessions() async -> HTTPResponse {
        guard let token = request.cookieToken,
            let id = Submission.value(of: "end", in: request.http.body)
        else { return redirection(to: .login, returningTo: "/account") }
        do throws(AccountError) {
            let ended = try await request.service.endSessions(
                id == "others" ? .others : .one(id), token: token
            ).count
            if id == "others", ended > 0 {
                request.site.events.emit(.session(.othersEnded(account: nil, count: ended)))
            }
            return redirection(to: "/account?note=ended")
        } catch .reauthenticationNeeded {
            return redirection(to: .reauthenticate, returningTo: "/account")
        } catch {
            return failure(error)
        }
    }

    func logOut() async -> HTTPResponse {
        if let token = request.cookieToken {
            do throws(AccountError) {
                if try await request.service.endSession(token: token) {
                    request.site.events.emit(.session(.ended(account: nil)))
                }
            } catch {
                return failure(error)
            }
        }
        var response = redirection(to: AccountType.login.traits.page + "?note=out")
        response.headers += cookieDeletions
        return response
    }
}

extension FormField {
    /// A value for display, with the labels of its options.
    func readable(_ value: FieldValue, _ messages: MessageTable) -> String {
        func label(_ value: String) -> String { options.first { $0.value == value }?.label ?? value }
        switch value {
        case .text(let text): return label(text)
        case .list(let values): return values.map(label).joined(separator: ", ")
        case .boolean(let isTrue): return messages.sentence(isTrue ? "page.yes" : "page.no")
        }
    }
}
