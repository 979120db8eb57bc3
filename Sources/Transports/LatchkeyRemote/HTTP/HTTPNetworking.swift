import LatchkeyAccounts
public import LatchkeyFlows
public import LatchkeyForms
public import LatchkeyNetworking
import LatchkeySecrets
public import LatchkeySystem

/// `Networking` over a service. Each flow is one request to `/api/v1/flows`.
///
/// Tokens from responses go to the session store, and secrets go into requests, without being converted to a `String`.
/// An abandoned call runs to its end, because the service may have completed its work already.
public struct HTTPNetworking: Networking {
    /// The reason why a call had no usable response. The call's response only shows that the service is unavailable.
    public enum Fault: Error, Equatable, Sendable {
        /// The request or its response did not arrive.
        case transfer(TransferFailure)
        /// This version cannot parse the response. It comes from a different version, or not from Latchkey.
        case answer(status: Int)
        /// The values are too large for a request.
        case valuesTooLarge
    }

    /// The maximum length of a stored or sent token in bytes.
    static let longestToken = 512

    let origin: RemoteOrigin
    private let sessionStore: any SessionStore
    private let threads: WorkerThreads
    private let agent: String
    private let report: @Sendable (Fault) -> Void
    private let limits: TransferLimits

    /// - Parameters:
    ///   - sessionStore: stores the session's token between calls. It must only be used for `origin`.
    ///   - threads: the threads for requests, which block.
    ///   - authorities: a PEM file with certificate authorities to trust; nil for the system's.
    ///   - agent: the name and version of the program, which the owner sees in the list of sessions.
    ///   - report: receives the reason if the service is unavailable because of the connection or its response.
    ///   - origin: the origin of the service.
    public init(
        origin: RemoteOrigin, sessionStore: any SessionStore, threads: WorkerThreads, authorities: String? = nil,
        agent: String = "Latchkey", report: @escaping @Sendable (Fault) -> Void = { _ in }
    ) {
        var limits = TransferLimits(total: .seconds(60))
        limits.authorities = authorities
        self.init(
            origin: origin, sessionStore: sessionStore, threads: threads, agent: agent, report: report, limits: limits)
    }

    init(
        origin: RemoteOrigin, sessionStore: any SessionStore, threads: WorkerThreads, agent: String = "Latchkey",
        report: @escaping @Sendable (Fault) -> Void = { _ in }, limits: TransferLimits
    ) {
        self.origin = origin
        self.sessionStore = sessionStore
        self.threads = threads
        self.agent = String(agent.unicodeScalars.filter { 0x20...0x7E ~= $0.value }.map(Character.init))
        self.report = report
        self.limits = limits
    }

    /// Calls the service and returns its response.
    public func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        let token: Secret?
        do throws(SessionStoreError) { token = try await self.token(for: call) } catch {
            return .unavailable(.storageFailed)
        }
        if token == nil, call.traits.token.isRequired { return .refused(.noSession) }
        guard let request = FlowRequest(credentials) else { return unavailable(.valuesTooLarge) }
        let result = await send(
            .post, "/api/v1/flows/" + call.rawValue, token: token, device: await device(for: call), body: request.body)
        let response: HTTPTransfer.Response
        do throws(TransferFailure) { response = try result.get() } catch { return unavailable(.transfer(error)) }
        guard Self.types.contains(response.type) else { return unavailable(.answer(status: response.status)) }
        let answer = response.body.withBytes { FlowAnswer($0, status: response.status, to: call) }
        guard let answer else { return unavailable(.answer(status: response.status)) }
        return await finish(call, answer)
    }

    static let types: Set<String> = ["application/json", "application/problem+json"]

    private func unavailable(_ fault: Fault) -> NetworkResponse {
        report(fault)
        return .unavailable()
    }

    /// Stores the token of a new session. If that fails, it ends the session, because no later call could use it.
    private func finish(_ call: AccountType, _ answer: FlowAnswer) async -> NetworkResponse {
        if call.traits.session == .ends, answer.response.outcome == .success {
            // The session has ended, so a remaining token is useless.
            try? await sessionStore.forget()
        }
        if let pending = answer.pending { await sessionStore.save(pendingLogin: pending) }
        if answer.response.code == .passwordReset { await sessionStore.save(pendingLogin: nil) }
        guard let token = answer.token, call.traits.session.canBegin else { return answer.response }
        do throws(SessionStoreError) {
            try await sessionStore.save(token)
            await sessionStore.save(pendingLogin: nil)
            if let device = answer.device { await sessionStore.save(device: device) }
            return answer.response
        } catch {
            _ = await send(.delete, "/api/v1/session", token: token, body: nil)
            return .unavailable(.storageFailed)
        }
    }

    /// The token to send with a call. A stored text that cannot be a token is ignored.
    private func token(for call: AccountType) async throws(SessionStoreError) -> Secret? {
        let token: Secret?
        switch call.traits.token {
        case .none: return nil
        case .pendingLogin: token = await sessionStore.pendingLogin()
        case .pendingLoginOrSession:
            let pending = await sessionStore.pendingLogin()
            token = if let pending { pending } else { try await sessionStore.token() }
        // If the token is unreadable, the old session remains.
        case .optional: token = try? await sessionStore.token()
        case .session: token = try await sessionStore.token()
        }
        return token.flatMap { $0.fitsIntoHeader ? $0 : nil }
    }

    /// The device's token for a call that verifies a password or a code; nil for other calls.
    private func device(for call: AccountType) async -> Secret? {
        guard call.traits.triesSecret else { return nil }
        switch await sessionStore.device() {
        case .none: return nil
        case .token(let token) where token.fitsIntoHeader: return token
        case .token, .new: return Self.newDevice
        }
    }

    private static let newDevice = Secret(copying: "new".utf8Span.span)

    func send(
        _ method: HTTPTransfer.Method, _ path: String, token: Secret?, device: Secret? = nil, body: Secret?
    ) async -> Result<HTTPTransfer.Response, TransferFailure> {
        let transfer = HTTPTransfer(
            scheme: origin.scheme, url: origin.base + path, socket: origin.socket, method: method, token: token,
            device: device, body: body, agent: agent, limits: limits)
        do throws(WorkerThreads.Refusal) {
            return try await threads.run { Result { () throws(TransferFailure) in try transfer.run() } }
        } catch {
            return .failure(.exhausted)
        }
    }
}
