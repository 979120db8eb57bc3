public import LatchkeySecrets
public import LatchkeySystem

/// Posts forms to addresses that an operator has chosen. Over HTTPS, or HTTP if the address has it, without redirects and
/// proxies.
public struct FormPost: Sendable {
    private let threads: WorkerThreads
    private let agent: String
    private let limits: TransferLimits

    /// - Parameters:
    ///   - threads: the threads for requests, which block.
    ///   - total: the time limit of one request.
    ///   - authorities: a PEM file with certificate authorities to trust; nil for the system's.
    ///   - agent: the name and version of the program.
    public init(threads: WorkerThreads, total: Duration, authorities: String? = nil, agent: String) {
        self.threads = threads
        self.agent = agent
        limits = TransferLimits(
            connect: total, total: total, responseBytes: Self.responseBytes, authorities: authorities)
    }

    /// The maximum number of bytes in a response. Nothing reads it.
    static let responseBytes = 4096

    /// Posts a form and returns the status of the response.
    public func send(_ form: Secret, to url: String) async throws(TransferFailure) -> Int {
        let transfer = HTTPTransfer(
            scheme: url.hasPrefix("https:") ? "https" : "http", url: url, method: .post, body: form,
            type: "application/x-www-form-urlencoded", agent: agent, limits: limits)
        let result: Result<Int, TransferFailure>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run {
                Result { () throws(TransferFailure) in try transfer.run().status }
            }
        } catch {
            throw .exhausted
        }
        return try result.get()
    }
}

extension TransferFailure {
    /// The failure in a few words for the operator.
    public var reason: String {
        switch self {
        case .unreachable: "unreachable"
        case .certificate: "invalid certificate"
        case .unencrypted: "no encryption"
        case .timedOut: "timed out"
        case .tooLarge: "the response is too large"
        case .exhausted: "out of memory or threads"
        case .failed(let code): "libcurl error \(code)"
        }
    }
}
