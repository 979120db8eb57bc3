import Foundation
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyRemote

/// A service with scripted responses, and a networking object that calls it.
struct HTTPWorld {
    enum Connection { case plain, tls, socket, untrusted, otherHost }

    struct Request {
        let method: String
        let path: String
        let headers: [String: String]
        let body: Data
    }

    /// The response to a successful login.
    static let success = JSONValue(line: #"{"json":{"ok":true,"status":200,"code":"success","token":"new"}}"#.utf8)!

    let server: FixtureServer
    let networking: HTTPNetworking
    let store = MemoryTokenStore()
    let faults = Locked<[HTTPNetworking.Fault]>([])

    init(answers: [JSONValue], _ connection: Connection = .plain, limit: Duration = .seconds(600)) throws {
        let folder = try TemporaryFolder()
        let certificates = try Certificates.shared.get()
        let lines = answers.map { $0.encoded + "\n" }.joined()
        var arguments = [try folder.write(lines.utf8, to: "answers"), try folder.write([], to: "log")]
        switch connection {
        case .plain: break
        case .tls, .untrusted: arguments += ["--tls"] + certificates.local
        case .otherHost: arguments += ["--tls"] + certificates.other
        case .socket: arguments += ["--socket", folder.path(of: "socket")]
        }
        server = try FixtureServer("http_server.py", in: folder, arguments)
        let origin =
            switch connection {
            case .plain: "http://127.0.0.1:\(server.port)"
            case .tls, .untrusted, .otherHost: "https://localhost:\(server.port)"
            case .socket: "unix:" + folder.path(of: "socket")
            }
        var limits = TransferLimits(total: limit)
        if connection != .untrusted { limits.authorities = certificates.authority }
        let faults = faults
        networking = HTTPNetworking(
            origin: try RemoteOrigin(origin), sessionStore: store, threads: WorkerThreads(count: 2, waitingLimit: 8),
            agent: "Latchkey/1.2\r\n", report: { fault in faults.withLock { $0.append(fault) } }, limits: limits)
    }

    func call(_ call: AccountType) async -> NetworkResponse {
        await networking.perform(
            call: call, with: Credentials([.username: .text("ada"), .password: .secret(Secret("long password"))]))
    }

    /// The requests that the service has received, in order.
    func requests() throws -> [Request] {
        try server.log().map { entry in
            Request(
                method: try #require(entry["method"]?.string), path: try #require(entry["path"]?.string),
                headers: try #require(entry["headers"]?.texts),
                body: try #require(entry["body"]?.string.flatMap { Data(base64Encoded: $0) }))
        }
    }
}

/// Stores the token in memory, and fails on request.
actor MemoryTokenStore: SessionStore {
    private var stored: Secret?
    private var pending: Secret?
    private var failsReading = false
    private var failsWriting = false

    func fail(reading: Bool = false, writing: Bool = false) { (failsReading, failsWriting) = (reading, writing) }

    func save(_ token: Secret) throws(SessionStoreError) {
        if failsWriting { throw .failed(path: "/session") }
        stored = token
    }

    func hold(_ token: Secret) { stored = token }

    func token() throws(SessionStoreError) -> Secret? {
        if failsReading { throw .failed(path: "/session") }
        return stored
    }

    /// The stored token, even while reading fails.
    var held: String? { stored?.text }

    func forget() { stored = nil }

    func pendingLogin() -> Secret? { pending }

    func save(pendingLogin token: Secret?) { pending = token }
}
