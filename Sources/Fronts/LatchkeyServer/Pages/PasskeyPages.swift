import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyNetworking
import LatchkeyPasskeys
import LatchkeySecrets
import LatchkeyWeb

/// Passkeys on the pages. A script gets the options as JSON, calls the browser, and submits a form with the result. It
/// never sees a token.
enum PasskeyPages {
    static func routes(of site: ServiceSite) -> [Route] {
        guard let party = RelyingParty(origin: site.configuration.origin) else { return [] }
        return [
            .page("POST", PasskeyForm.login.optionsPath, .script(budget: .check)) { page, _ in
                await page.loginOptions(party, isSecondFactor: false)
            },
            .page("POST", PasskeyForm.secondFactor.optionsPath, .script(.pendingLogin)) { page, _ in
                await page.loginOptions(party, isSecondFactor: true)
            },
            .page("POST", PasskeyForm.login.path, .form()) { page, _ in
                await page.logIn(party, isSecondFactor: false)
            },
            .page("POST", PasskeyForm.secondFactor.path, .form(.pendingLogin)) { page, _ in
                await page.logIn(party, isSecondFactor: true)
            },
            .page("POST", PasskeyForm.creation.optionsPath, .script(.sessionOrPendingLogin)) { page, _ in
                await page.creationOptions(party)
            },
            .page("POST", PasskeyForm.creation.path, .form(.sessionOrPendingLogin)) { page, _ in
                await page.addPasskey(party)
            },
        ]
    }
}

extension PageRequest {
    /// Whether browsers can use passkeys with this service.
    var offersPasskeys: Bool {
        guard let party = RelyingParty(origin: request.site.configuration.origin) else { return false }
        // On this machine, the service is also reachable by IP address, where browsers offer no passkeys.
        return request.http.host.prefix { $0 != ":" } == party.id
    }

    var factorOwner: FactorOwner? {
        pendingToken.map(FactorOwner.pending) ?? request.cookieToken.map(FactorOwner.session)
    }

    /// The browser's time limit for the authenticator, in milliseconds.
    private static let timeout = Int(PasskeyChallenge.lifetime.components.seconds) * 1000

    // MARK: Options

    fileprivate func loginOptions(_ party: RelyingParty, isSecondFactor: Bool) async -> HTTPResponse {
        do throws(AccountError) {
            guard !isSecondFactor || pendingToken != nil else { throw .noSession }
            let options = try await request.service.beginPasskeyLogin(pending: isSecondFactor ? pendingToken : nil)
            return .json(
                .object([
                    ("challenge", .string(Base64URL.text(of: options.challenge))), ("rpId", .string(party.id)),
                    ("timeout", .integer(Self.timeout)), ("userVerification", .string("required")),
                    ("allowCredentials", .array(options.passkeys.map(\.descriptor))),
                ]))
        } catch .noSession {
            return location(AccountType.login.traits.page + "?note=expired")
        } catch {
            return request.json(NetworkResponse(error))
        }
    }

    fileprivate func creationOptions(_ party: RelyingParty) async -> HTTPResponse {
        do throws(AccountError) {
            guard let owner = factorOwner else { throw .noSession }
            let options = try await request.service.beginPasskey(for: owner)
            guard let account = options.account else { throw .noSession }
            let algorithms = COSEAlgorithm.allCases.map { algorithm in
                JSONValue.object([("type", .string("public-key")), ("alg", .integer(Int(algorithm.rawValue)))])
            }
            let selection: [(key: String, value: JSONValue)] = [
                ("residentKey", .string("required")), ("requireResidentKey", .bool(true)),
                ("userVerification", .string("required")),
            ]
            return .json(
                .object([
                    (
                        "rp",
                        .object([("id", .string(party.id)), ("name", .string(request.service.settings.serviceName))])
                    ),
                    (
                        "user",
                        .object([
                            ("id", .string(Base64URL.text(of: account.id.bytes))), ("name", .string(account.name)),
                            ("displayName", .string(account.name)),
                        ])
                    ),
                    ("challenge", .string(Base64URL.text(of: options.challenge))),
                    ("pubKeyCredParams", .array(algorithms)), ("timeout", .integer(Self.timeout)),
                    ("excludeCredentials", .array(options.passkeys.map(\.descriptor))),
                    ("authenticatorSelection", .object(selection)), ("attestation", .string("none")),
                ]))
        } catch .reauthenticationNeeded {
            return location(AccountType.reauthenticate.traits.page + "?return=/account")
        } catch .noSession {
            return location(AccountType.login.traits.page + "?return=/account")
        } catch {
            return request.json(NetworkResponse(error))
        }
    }

    /// The JSON response with the page that the script opens next.
    private func location(_ place: String) -> HTTPResponse {
        .json(.object([("location", .string(place))]), status: 403)
    }

    // MARK: Responses

    fileprivate func logIn(_ party: RelyingParty, isSecondFactor: Bool) async -> HTTPResponse {
        guard let (credential, returnTo) = submittedCredential, let assertion = PasskeyAssertion(json: credential)
        else {
            return notice(400, "page.bad_request")
        }
        let tokens = self.tokens()
        do throws(AccountError) {
            guard !isSecondFactor || pendingToken != nil else { throw .noSession }
            let result = try await request.service.on(request.device).logIn(
                with: assertion, at: party, pending: isSecondFactor ? pendingToken : nil,
                replacing: request.cookieToken)
            return await answered(await tokens.response(to: result, of: request.service), tokens, returnTo)
        } catch .refused(let failures) {
            return await refused(failures, on: isSecondFactor ? .secondFactor : .login, returnTo)
        } catch .noSession {
            var response = redirection(to: AccountType.login.traits.page + "?note=expired")
            response.headers.append(pendingCookie(storing: nil))
            return response
        } catch {
            return failure(error)
        }
    }

    fileprivate func addPasskey(_ party: RelyingParty) async -> HTTPResponse {
        guard let (credential, returnTo) = submittedCredential,
            let registration = PasskeyRegistration(json: credential)
        else { return notice(400, "page.bad_request") }
        guard let owner = factorOwner else { return redirection(to: .login, returningTo: "/account") }
        let tokens = self.tokens()
        do throws(AccountError) {
            let given = Submission.value(of: "name", in: request.http.body) ?? ""
            let name = given.isEmpty ? DeviceName.name(of: request.http.headers["user-agent"]) : given
            let added = try await request.service.on(request.device).addPasskey(
                for: owner, registration, named: name, at: party, replacing: request.cookieToken)
            var response = await tokens.response(to: .signedIn(added.signIn), of: request.service)
            if !added.savedCodes.isEmpty { response = response.disclosing(.savedCodes(added.savedCodes)) }
            let place = checkedReturn(returnTo)
            let next = added.passkey.map { passkeyNamePath($0, returnTo: place) } ?? place ?? "/account"
            return await answered(response, tokens, next)
        } catch .refused(let failures) {
            return await refused(failures, on: .addFactor, returnTo)
        } catch .reauthenticationNeeded {
            return redirection(to: .reauthenticate, returningTo: "/account")
        } catch .noSession {
            return redirection(to: .login, returningTo: "/account")
        } catch {
            return failure(error)
        }
    }

    /// The response after a success.
    private func answered(
        _ response: NetworkResponse, _ tokens: RequestTokens, _ returnTo: String?
    ) async -> HTTPResponse {
        guard response.outcome == .success || response.outcome == .mustChangePassword else {
            return failure(.store(.failed(resultCode: 0)))
        }
        if tokens.new != nil { request.site.events.emit(.session(.began(account: response.account?.id))) }
        let flow = AccountType.secondFactor
        return await move(
            to: flow.destination(after: response), from: flow, after: response, tokens, returnTo: returnTo)
    }

    /// The flow's page with the refusal above its form.
    private func refused(_ failures: [RuleFailure], on flow: AccountType, _ returnTo: String?) async -> HTTPResponse {
        let model = model(of: flow)
        let refusal = failures.first.map { request.messages.sentence(for: $0, in: model.form) } ?? ""
        if flow == .addFactor {
            // The form for passkeys is on the page of the account.
            let page = NoticePage(
                refusal, links: [(request.messages.sentence("page.your_account"), "/account")], on: await accountSite())
            return html(page.html, status: 422)
        }
        model.callBegan()
        model.callEnded(AlertViewModel(title: refusal))
        return await page(of: model, for: flow, status: 422, returnTo: returnTo)
    }

    /// The authenticator's response as submitted by the script, and the page to return to.
    private var submittedCredential: (JSONValue, returnTo: String?)? {
        guard request.http.mediaType == "application/x-www-form-urlencoded",
            let text = Submission.value(of: "credential", in: request.http.body),
            let json = try? JSONReader.read(text.utf8Span.span).value
        else { return nil }
        return (json, Submission.value(of: "return", in: request.http.body))
    }
}

extension Passkey {
    /// The passkey as a PublicKeyCredentialDescriptorJSON (WebAuthn Level 3, section 5.1.8).
    fileprivate var descriptor: JSONValue {
        .object([
            ("type", .string("public-key")), ("id", .string(Base64URL.text(of: credential.id))),
            ("transports", .array(credential.transports.map { .string($0) })),
        ])
    }
}

extension PasskeyRegistration {
    /// Parses a RegistrationResponseJSON (WebAuthn Level 3, section 5.1.8.1); nil if it is malformed.
    fileprivate init?(json: JSONValue) {
        guard let response = json["response"], let clientData = response.bytes("clientDataJSON"),
            let attestation = response.bytes("attestationObject")
        else { return nil }
        self.init(
            clientDataJSON: clientData, attestationObject: attestation,
            transports: response["transports"]?.elements?.compactMap(\.string) ?? [])
    }
}

extension PasskeyAssertion {
    /// Parses an AuthenticationResponseJSON (WebAuthn Level 3, section 5.1.8.2); nil if it is malformed.
    fileprivate init?(json: JSONValue) {
        guard let id = json.bytes("rawId"), let response = json["response"],
            let clientData = response.bytes("clientDataJSON"), let data = response.bytes("authenticatorData"),
            let signature = response.bytes("signature")
        else { return nil }
        // Browsers send null or an empty handle for an authenticator that has none.
        let handle = response.bytes("userHandle").flatMap { $0.isEmpty ? nil : $0 }
        self.init(
            credentialID: id, clientDataJSON: clientData, authenticatorData: data, signature: signature,
            userHandle: handle)
    }
}

extension JSONValue {
    fileprivate func bytes(_ name: String) -> [UInt8]? { self[name]?.string.flatMap { Base64URL.bytes(of: $0) } }
}
