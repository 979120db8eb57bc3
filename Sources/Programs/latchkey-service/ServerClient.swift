import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeyRemote
import LatchkeySecrets
import LatchkeySystem

/// The service that `--server` names, over HTTP.
struct ServerClient: RemoteService {
    private let origin: RemoteOrigin
    private let authorities: String?
    private let messages: MessageTable
    private let threads = WorkerThreads(count: 1, waitingLimit: 8)
    private let fault = Locked<HTTPNetworking.Fault?>(nil)

    /// - Throws: status 64 if `text` is not the address of a service.
    init(_ text: String, authorities: String?, _ messages: MessageTable) throws(ToolFailure) {
        do throws(RemoteOriginError) { origin = try RemoteOrigin(text) } catch {
            throw .badServer(problem: error.sentence(messages))
        }
        self.authorities = authorities
        self.messages = messages
    }

    var digest: [UInt8] { origin.digest }

    var failure: ToolFailure? { fault.withLock { $0 }.map(toolFailure) }

    func networking(storingIn tokens: any SessionStore) -> any Networking { client(tokens) }

    func forms() async throws(ToolFailure) -> (descriptions: [FormCatalogue.Source], fields: [String: Set<String>]) {
        let forms = try await asking { (client) async throws(HTTPNetworking.CallError) in try await client.forms() }
        let sources = forms.descriptions.map { FormCatalogue.Source(file: origin.text, bytes: Array($0.encoded.utf8)) }
        return (sources, forms.fields)
    }

    func session(of token: Secret) async throws(ToolFailure) -> OwnSession? {
        let state = try await asking { (client) async throws(HTTPNetworking.CallError) in
            try await client.session(token)
        }
        return state.map {
            OwnSession(account: $0.account, isFull: $0.isFull, hasRecentPassword: $0.hasRecentPassword)
        }
    }

    func sessions(of token: Secret) async throws(ToolFailure) -> [SessionEntry] {
        try await asking { (client) async throws(HTTPNetworking.CallError) in try await client.sessions(token) }.map {
            SessionEntry(
                id: $0.id, createdAt: $0.createdAt, lastUsedAt: $0.lastUsedAt, source: $0.source, isOwn: $0.isOwn)
        }
    }

    func endSessions(_ choice: SessionChoice, of token: Secret) async throws(ToolFailure) -> Int {
        try await asking { (client) async throws(HTTPNetworking.CallError) in
            try await client.endSessions(choice, token)
        }
    }

    func endSession(of token: Secret) async throws(ToolFailure) -> Bool {
        try await asking { (client) async throws(HTTPNetworking.CallError) in try await client.endSession(token) }
    }

    func factors(of token: Secret) async throws(ToolFailure) -> FactorSummary {
        try await asking { (client) async throws(HTTPNetworking.CallError) in try await client.factors(token) }
    }

    func replaceSavedCodes(of token: Secret) async throws(ToolFailure) -> [Secret]? {
        try await asking { (client) async throws(HTTPNetworking.CallError) in
            try await client.replaceSavedCodes(token)
        }
    }

    func removeFactors(of token: Secret) async throws(ToolFailure) -> Bool {
        try await asking { (client) async throws(HTTPNetworking.CallError) in try await client.removeFactors(token) }
    }

    func removePasskey(_ id: String, of token: Secret) async throws(ToolFailure) -> Bool {
        try await asking { (client) async throws(HTTPNetworking.CallError) in
            try await client.removePasskey(id, token)
        }
    }

    private func client(_ tokens: any SessionStore) -> HTTPNetworking {
        HTTPNetworking(
            origin: origin, sessionStore: tokens, threads: threads, authorities: authorities,
            agent: "latchkey/" + CommandLineTool.version,
            report: { [fault] problem in fault.withLock { $0 = problem } })
    }

    private func asking<Answer>(
        _ call: (HTTPNetworking) async throws(HTTPNetworking.CallError) -> Answer
    ) async throws(ToolFailure) -> Answer {
        do throws(HTTPNetworking.CallError) { return try await call(client(NoTokens())) } catch {
            switch error {
            case .fault(let fault): throw toolFailure(fault)
            case .refused(let response): throw .response(response, [])
            }
        }
    }

    private func toolFailure(_ fault: HTTPNetworking.Fault) -> ToolFailure {
        .serverFailed(problem: fault.sentence(messages))
    }
}

/// For calls that name their token.
private struct NoTokens: SessionStore {
    func save(_ token: Secret) throws(SessionStoreError) { throw .homeless }
    func token() -> Secret? { nil }
    func forget() {}
    func pendingLogin() -> Secret? { nil }
    func save(pendingLogin token: Secret?) {}
}
