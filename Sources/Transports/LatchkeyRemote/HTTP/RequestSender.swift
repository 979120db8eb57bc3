package import LatchkeySecrets
package import LatchkeySystem

/// Sends requests to addresses that an operator has chosen. Over HTTPS, or HTTP if the address has it, without redirects
/// and proxies.
package struct RequestSender: Sendable {
    private let threads: WorkerThreads
    private let agent: String
    private let limits: TransferLimits

    /// - Parameters:
    ///   - threads: the threads for requests, which block.
    ///   - total: the time limit of one request.
    ///   - authorities: a PEM file with certificate authorities to trust; nil for the system's.
    ///   - agent: the name and version of the program.
    package init(threads: WorkerThreads, total: Duration, authorities: String? = nil, agent: String) {
        self.threads = threads
        self.agent = agent
        limits = TransferLimits(
            connect: total, total: total, responseBytes: Self.responseBytes, authorities: authorities)
    }

    /// The maximum number of bytes in a response.
    static let responseBytes = 4096

    /// Posts a form and returns the status of the response.
    package func post(_ form: Secret, to url: String) async throws(TransferFailure) -> Int {
        try await send(
            HTTPTransfer(
                scheme: Self.scheme(of: url), url: url, method: .post, body: form,
                type: "application/x-www-form-urlencoded", agent: agent, limits: limits)
        ).status
    }

    /// Gets a text that is not secret.
    ///
    /// - Parameter socket: the path of a Unix socket to connect to; nil for the host in the URL.
    /// - Returns: the status of the response and its first line, at most 200 characters.
    package func get(
        _ url: String, over socket: String? = nil
    ) async throws(TransferFailure) -> (status: Int, line: String) {
        let response = try await send(
            HTTPTransfer(
                scheme: Self.scheme(of: url), url: url, socket: socket, method: .get, body: nil, agent: agent,
                limits: limits))
        let line = response.body.shownText.split(whereSeparator: \.isNewline).first ?? ""
        return (response.status, String(line.prefix(200)))
    }

    private static func scheme(of url: String) -> String { url.hasPrefix("https:") ? "https" : "http" }

    private func send(_ transfer: HTTPTransfer) async throws(TransferFailure) -> HTTPTransfer.Response {
        let result: Result<HTTPTransfer.Response, TransferFailure>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run {
                Result { () throws(TransferFailure) in try transfer.run() }
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
