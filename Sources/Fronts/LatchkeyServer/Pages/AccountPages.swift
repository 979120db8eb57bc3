import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyWeb

/// The pages of the signed-in account.
extension Call {
    func accountPage(_ live: LiveSession) async -> HTTPResponse {
        guard let token = cookieToken, let sessions = try? await service.sessions(token: token) else {
            return redirect(to: .login, returningTo: "/account")
        }
        let rows = sessions.all.map { session in
            AccountPage.Session(
                id: session.shortID,
                device: session.source.isEmpty ? messages.sentence("page.unknown_device") : session.source,
                lastUsed: messages.ago(session.lastUsedAt, now: service.clock.now()),
                isCurrent: session.digest == sessions.own.digest)
        }
        let factors = try? await service.factors(token: token)
        let page = AccountPage(
            of: live.account.name, values: values(of: live.account),
            factor: factors.flatMap(sentences), passkeys: factors.map(passkeys) ?? [],
            savedCodes: factors.flatMap { $0.authenticator == nil && !$0.passkeys.isEmpty ? codes(of: $0) : nil },
            sessions: rows, notice: note, on: web(isSignedIn: true))
        return html(page.html)
    }

    /// The passkeys, as people read them.
    private func passkeys(of factors: FactorStatus) -> [LatchkeyWeb.AccountPage.Passkey] {
        factors.passkeys.map { passkey in
            let used = messages.ago(passkey.lastUsedAt ?? passkey.createdAt, now: service.clock.now())
            return LatchkeyWeb.AccountPage.Passkey(id: passkey.id, name: passkey.name, lastUsed: used)
        }
    }

    /// What the page says about the second factor; nil if there is none.
    private func sentences(about factors: FactorStatus) -> [String]? {
        guard let authenticator = factors.authenticator else { return nil }
        let added = messages.ago(authenticator.createdAt, now: service.clock.now())
        return [messages.sentence("page.factor", ["time": .text(added)]), codes(of: factors)]
    }

    private func codes(of factors: FactorStatus) -> String {
        messages.sentence("page.saved_codes", ["count": .integer(factors.savedCodes)])
    }

    func askBeforeRemoval() async -> HTTPResponse {
        let passkey = request.target["passkey"].flatMap { $0.utf8.count <= 64 ? $0 : nil }
        let question = passkey == nil ? "page.remove_factor" : "page.remove_passkey"
        let change = passkey.map { "passkey:" + $0 } ?? "remove"
        let page = QuestionPage(
            messages.sentence(question), messages.sentence(await consequence(ofRemoving: passkey, question)),
            answer: messages.sentence("page.remove"), posting: (AccountPage.factorsPath, "change", change),
            on: web(isSignedIn: true))
        return html(page.html)
    }

    /// The code of the sentence that says what follows.
    private func consequence(ofRemoving passkey: String?, _ question: String) async -> String {
        guard let token = cookieToken, let factors = try? await service.factors(token: token) else {
            return question + "_what"
        }
        let left =
            factors.passkeys.count { $0.id != passkey } + (passkey != nil && factors.authenticator != nil ? 1 : 0)
        if left > 0 { return question + "_what.other" }
        return question + (service.settings.factors == .required ? "_what.required" : "_what")
    }

    func changeFactors() async -> HTTPResponse {
        let change = Submission.pairs(request.body)?.first { $0.name == "change" }?.value
        let page = change == "remove" ? AccountPage.removalPath : "/account"
        guard let token = cookieToken else { return redirect(to: .login, returningTo: page) }
        do throws(AccountError) {
            switch change {
            case "codes":
                guard let codes = try await service.replaceSavedCodes(token: token) else { break }
                return html(SavedCodesPage(codes, next: "/account", on: web(isSignedIn: true)).html)
            case "remove":
                guard try await service.removeAuthenticator(token: token) else { break }
                return redirect(to: "/account?note=factor_removed")
            case let change? where change.hasPrefix("passkey:"):
                guard try await service.removePasskey(String(change.dropFirst(8)), token: token) else { break }
                return redirect(to: "/account?note=passkey_removed")
            default: return notice(400, "page.bad_request")
            }
            return redirect(to: "/account")
        } catch .noSession {
            return redirect(to: .login, returningTo: page)
        } catch .reauthenticationNeeded {
            return redirect(to: .reauthenticate, returningTo: page)
        } catch {
            return failure(error)
        }
    }

    /// What the profile shows, as people read it.
    private func values(of account: Account) -> [(label: String, value: String)] {
        let present = account.present
        return forms.form(for: .profile).fields.compactMap { field in
            guard !field.isSecret, let value = present[field.apiKey], !value.isEmpty else { return nil }
            return (field.label, field.readable(value, messages))
        }
    }

    func endSessions() async -> HTTPResponse {
        guard let token = cookieToken,
            let id = Submission.pairs(request.body)?.first(where: { $0.name == "end" })?.value
        else { return redirect(to: .login, returningTo: "/account") }
        do throws(AccountError) {
            let ended = try await service.endSessions(id == "others" ? .others : .one(id), token: token)
            if id == "others", ended > 0 {
                site.events.emit(.session(.othersEnded(account: nil, count: ended)))
            }
            return redirect(to: "/account?note=ended")
        } catch .reauthenticationNeeded {
            return redirect(to: .reauthenticate, returningTo: "/account")
        } catch {
            return failure(error)
        }
    }

    func logOut() async -> HTTPResponse {
        if let token = cookieToken {
            do throws(AccountError) {
                if try await service.endSession(token: token) { site.events.emit(.session(.ended(account: nil))) }
            } catch {
                return failure(error)
            }
        }
        var redirection = redirect(to: AccountType.login.traits.page + "?note=out")
        redirection.headers += cookieDeletions
        return redirection
    }
}

extension FormField {
    /// A value with the labels of its options.
    fileprivate func readable(_ value: FieldValue, _ messages: MessageTable) -> String {
        func label(_ value: String) -> String { options.first { $0.value == value }?.label ?? value }
        switch value {
        case .text(let text): return label(text)
        case .list(let values): return values.map(label).joined(separator: ", ")
        case .boolean(let isTrue): return messages.sentence(isTrue ? "page.yes" : "page.no")
        }
    }
}
