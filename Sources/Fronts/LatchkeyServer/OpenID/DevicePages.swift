import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyOpenID
import LatchkeySecrets
import LatchkeyWeb

/// The device authorization endpoint (RFC 8628), and the pages on which a person connects a device.
enum DevicePages {
    fileprivate static let path = "/device"

    static var routes: [Route] {
        [
            Route("POST", "/oauth/device", .client, .header) { request, _, _ in
                do throws(Refusal) { return try await request.beginDevice() } catch { return error.response }
            },
            .page("GET", path, .open(.session)) { page, _ in await page.askForUserCode() },
            .page("POST", path, .form(.session)) { page, _ in await page.findDevice() },
            .page("POST", DeviceConfirmPage.path, .form(.session)) { page, _ in await page.answerDevice() },
        ]
    }
}

extension WebRequest {
    fileprivate func beginDevice() async throws(Refusal) -> HTTPResponse {
        let pairs = try await clientPairs()
        let asked: DeviceAuthorizationRequest
        do throws(OAuthError) {
            asked = try DeviceAuthorizationRequest(pairs, authorization: http.headers.secret("authorization"))
        } catch {
            throw Refusal(try await refusal(error, toClaimOf: pairs))
        }
        let client = try await authenticated(asked.client)
        guard client.settings.grants.contains(.device) else {
            throw Refusal(await refusal(OAuthError(.unauthorizedClient, "The client may not use devices"), to: client))
        }
        // Public clients prove nothing, so each request counts against the address too.
        if client.settings.isPublic, let wait = await wait(spending: .change) {
            throw Refusal(tooMany(after: wait, of: client))
        }
        let scopes = asked.scopes.all.map(\.name).filter(client.settings.scopes.contains)
        do throws(AccountError) {
            // A code that another device has is unlikely, and twice in a row means that too many wait.
            for _ in 0..<2 {
                let userCode: UserCode
                do { userCode = try UserCode(random: .system) } catch { throw .noRandomness }
                guard
                    let deviceCode = try await service.beginDeviceRequest(
                        of: client.id, scopes: scopes, userCode: userCode.symbols)
                else { continue }
                let body = DeviceAuthorizationResponse(
                    deviceCode: deviceCode, userCode: userCode, verificationURI: issuer + DevicePages.path,
                    expiresIn: Int(DeviceRequest.lifetime.components.seconds), interval: DeviceRequest.firstInterval
                ).body
                return HTTPResponse(
                    status: 200,
                    headers: [
                        ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
                        ("X-Content-Type-Options", "nosniff"),
                    ], body: .secret(body))
            }
        } catch {
            throw Refusal(oauthFailure(error))
        }
        throw Refusal(await refusal(OAuthError(.temporarilyUnavailable, "Too many devices wait"), to: client))
    }
}

extension PageRequest {
    /// The page on which a person types the code of a device.
    fileprivate func askForUserCode(_ status: Int = 200, problem: String? = nil) async -> HTTPResponse {
        let typed = request.http.target["user_code"].map { String($0.prefix(32)) }
        let place = DevicePages.path + (typed.map { "?user_code=" + PercentEncoding.encoded($0) } ?? "")
        let account: Account
        do throws(Refusal) { account = try await live(returningTo: place).account } catch {
            return error.response
        }
        let page = DeviceCodePage(
            code: typed, problem: problem.map { request.messages.sentence($0) }, of: account.name,
            switchingAt: switchPath(returningTo: place), on: await accountSite())
        return html(page.html, status: status)
    }

    /// Shows the request that waits under a code, so that the person compares it with the device.
    fileprivate func findDevice() async -> HTTPResponse {
        await enter { (code, token, service) async throws(AccountError) in
            try await service.deviceRequest(code, token: token)
        } then: { (code, found, client, account) async throws(Refusal) in
            let claims = AccountClaims(of: account, in: try await groups(of: account), for: found.scopes, request.forms)
            let began = request.messages.relative(found.createdAt, now: request.service.clock.now())
            let page = DeviceConfirmPage(
                client.settings.name, code: code.text, began: began, from: found.source.isEmpty ? nil : found.source,
                of: account.name, learning: claims.facts(request.messages, for: client.settings),
                on: await accountSite())
            return html(page.html)
        }
    }

    fileprivate func answerDevice() async -> HTTPResponse {
        let isAllowed = Submission.value(of: "answer", in: request.http.body) == "allow"
        return await enter { (code, token, service) async throws(AccountError) in
            try await service.answerDeviceRequest(code, allowing: isAllowed, token: token)
        } then: { (_, _, _, _) async throws(Refusal) in
            let result = isAllowed ? "application.connected" : "application.not_connected"
            let page = NoticePage(
                request.messages.sentence(result), [request.messages.sentence(result + "_what")],
                links: [(request.messages.sentence("page.start"), "/account")], on: await accountSite())
            return html(page.html)
        }
    }

    /// Enters the code of a form, which is the only way to learn whether a code is right.
    ///
    /// - Parameters:
    ///   - call: the call of the service; the code is nil if the input is not one.
    ///   - page: the page for a right code of an application that the person may use.
    private func enter(
        _ call: (Secret?, Secret, AccountService) async throws(AccountError) -> DeviceEntry,
        then page: (UserCode, DeviceRequest, Client, Account) async throws(Refusal) -> HTTPResponse
    ) async -> HTTPResponse {
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: DevicePages.path) }
        let typed = Submission.value(of: "user_code", in: request.http.body) ?? ""
        let code = UserCode(typed: Secret(copying: typed.utf8Span.span))
        let entry: DeviceEntry
        do throws(AccountError) { entry = try await call(code?.symbols, token, request.service) } catch .noSession {
            return redirection(to: .login, returningTo: DevicePages.path)
        } catch .throttled(let wait) {
            request.logRefusal("throttled", of: nil)
            return failure(.throttled(retryAfter: wait)).adding("Retry-After", String(wait.wholeSecondsRoundedUp))
        } catch {
            return failure(error)
        }
        return await answeringAuthorization { () async throws(Refusal) in
            switch entry {
            case .waiting(let found, let client, let live):
                guard let code else { return await askForUserCode(422, problem: "application.wrong_code") }
                return try await page(code, found, client, live.account)
            case .refused(let refusal, let client):
                request.logRefusal(refusal.rawValue, of: client.id)
                // The device has got its answer already.
                return await refusalPage(refusal, of: client, switchingAt: nil)
            case .unknown:
                request.logRefusal("wrong_user_code", of: nil)
                return await askForUserCode(422, problem: "application.wrong_code")
            }
        }
    }
}
