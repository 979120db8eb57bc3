import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyWeb

/// The pages of the logged-in account.
extension PageRequest {
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

    /// Sends another code to the new address of the account, or keeps the current address.
    func changeWaitingAddress() async -> HTTPResponse {
        let page = AccountType.profile.traits.page
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: page) }
        do throws(AccountError) {
            switch Submission.value(of: "do", in: request.http.body) {
            case "keep":
                try await request.service.keepAddress(token: token)
                return redirection(to: page + "?note=address_kept")
            case "again":
                let live = try await request.service.session(for: token)
                let waiting = try await request.service.waitingAddress(token: token)
                guard let address = waiting, address != live.account.email else {
                    try await request.service.sendConfirmation(token: token)
                    return redirection(to: page + (waiting == nil ? "" : "?note=sent_again"))
                }
                _ = try await request.service.updateProfile(
                    token: token, ProfileDraft(username: nil, email: address.typed, attributes: [:]))
                return redirection(to: page + "?note=sent_again")
            default: return notice(400, "page.bad_request")
            }
        } catch .reauthenticationNeeded {
            return redirection(to: .reauthenticate, returningTo: page)
        } catch .noSession {
            return redirection(to: .login, returningTo: page)
        } catch {
            return failure(error)
        }
    }

    func askBeforeRemoval() async -> HTTPResponse {
        let passkey = request.http.target["passkey"].flatMap { $0.utf8.count <= 64 ? $0 : nil }
        let question = passkey == nil ? "page.remove_factor" : "page.remove_passkey"
        let change = passkey.map { "passkey:" + $0 } ?? "remove"
        let page = QuestionPage(
            request.messages.sentence(question),
            request.messages.sentence(await consequence(ofRemoving: passkey, question)),
            answer: request.messages.sentence("page.remove"), posting: (AccountPage.factorsPath, "change", change),
            on: await accountSite())
        return html(page.html)
    }

    /// The page that asks before new saved codes replace the old ones.
    func askBeforeNewCodes() async -> HTTPResponse {
        let page = QuestionPage(
            request.messages.sentence("page.new_codes"), request.messages.sentence("page.new_codes_what"),
            answer: request.messages.sentence("page.new_codes_answer"),
            posting: (AccountPage.factorsPath, "change", "codes"), isDangerous: false, on: await accountSite())
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
        let page =
            switch change {
            case "remove": AccountPage.removalPath
            case "codes": AccountPage.newCodesPath
            default: "/account"
            }
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: page) }
        do throws(AccountError) {
            switch change {
            case "codes":
                guard let codes = try await request.service.replaceSavedCodes(token: token) else { break }
                return html(SavedCodesPage(codes, next: "/account", on: await accountSite(token)).html)
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
            return redirection(to: "/account?note=" + (id == "others" ? "others_ended" : "ended"))
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
