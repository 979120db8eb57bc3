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
        let pairs = try clientPairs()
        let asked: DeviceAuthorizationRequest
        do throws(OAuthError) {
            asked = try DeviceAuthorizationRequest(pairs, authorization: http.headers.secret("authorization"))
        } catch {
            throw Refusal(await refusal(error))
        }
        let client = try await authenticated(asked.client)
        guard client.settings.grants.contains(.device) else {
            throw Refusal(await refusal(OAuthError(.unauthorizedClient, "The client may not use devices"), of: client))
        }
        // Public clients prove nothing, so each request counts against the address too.
        if client.settings.isPublic, let refusal = await spend(.change) { throw Refusal(json(refusal)) }
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
            throw Refusal(json(NetworkResponse(error)))
        }
        throw Refusal(await refusal(OAuthError(.temporarilyUnavailable, "Too many devices wait"), of: client))
    }
}

extension PageRequest {
    /// The page on which a person types the code of a device.
    fileprivate func askForUserCode(_ status: Int = 200, problem: String? = nil) async -> HTTPResponse {
        let typed = request.http.target["user_code"].map { String($0.prefix(32)) }
        do throws(Refusal) {
            let query = typed.map { "?user_code=" + PercentEncoding.encoded($0) } ?? ""
            _ = try await live(returningTo: DevicePages.path + query)
        } catch {
            return error.response
        }
        let page = DeviceCodePage(
            code: typed, problem: problem.map { request.messages.sentence($0) }, on: webSite(isSignedIn: true))
        return html(page.html, status: status)
    }

    /// Shows the request that waits under a code, so that the person compares it with the device.
    fileprivate func findDevice() async -> HTTPResponse {
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: DevicePages.path) }
        let typed = Submission.value(of: "user_code", in: request.http.body) ?? ""
        let code = UserCode(typed: Secret(copying: typed.utf8Span.span))
        do throws(AccountError) {
            guard let (found, client, account) = try await request.service.deviceRequest(code?.symbols, token: token),
                let code
            else { return await askForUserCode(422, problem: "application.wrong_code") }
            let groups = (try? await request.service.groups(of: .id(account.id)).map(\.text)) ?? []
            let claims = AccountClaims(of: account, in: groups, for: found.scopes, request.forms)
            let began = request.messages.ago(found.createdAt, now: request.service.clock.now())
            let page = DeviceConfirmPage(
                client.settings.name, code: code.text, began: began, of: account.name,
                learning: claims.facts(request.messages), on: webSite(isSignedIn: true))
            return html(page.html)
        } catch .noSession {
            return redirection(to: .login, returningTo: DevicePages.path)
        } catch {
            return failure(error)
        }
    }

    fileprivate func answerDevice() async -> HTTPResponse {
        guard let token = request.cookieToken else { return redirection(to: .login, returningTo: DevicePages.path) }
        let body = request.http.body
        let isAllowed = Submission.value(of: "answer", in: body) == "allow"
        let typed = Submission.value(of: "user_code", in: body) ?? ""
        guard let code = UserCode(typed: Secret(copying: typed.utf8Span.span)) else {
            return await askForUserCode(422, problem: "application.wrong_code")
        }
        do throws(AccountError) {
            let refusal = try await request.service.answerDeviceRequest(code.symbols, allowing: isAllowed, token: token)
            let result: String
            switch refusal {
            case nil: result = isAllowed ? "application.connected" : "application.not_connected"
            case .refused(.notInGroup): result = "application.device_not_member"
            case .refused(.levelTooLow): result = "application.device_level"
            default: return await askForUserCode(422, problem: "application.wrong_code")
            }
            let page = NoticePage(
                request.messages.sentence(result), [request.messages.sentence(result + "_what")],
                links: [(request.messages.sentence("page.start"), "/account")], on: webSite(isSignedIn: true))
            return html(page.html, status: refusal == nil ? 200 : 403)
        } catch .noSession {
            return redirection(to: .login, returningTo: DevicePages.path)
        } catch {
            return failure(error)
        }
    }
}
