import LatchkeySecrets
public import LatchkeySystem

/// Asks a service whether it is ready (`/readyz`).
public struct HealthProbe: Sendable {
    private let threads: WorkerThreads
    private let agent: String
    private let limits: TransferLimits

    /// - Parameters:
    ///   - threads: the threads for requests, which block.
    ///   - total: the time limit of the request.
    ///   - authorities: a PEM file with certificate authorities to trust; nil for the system's.
    ///   - agent: the name and version of the program.
    public init(threads: WorkerThreads, total: Duration, authorities: String? = nil, agent: String) {
        self.threads = threads
        self.agent = agent
        limits = TransferLimits(
            connect: total, total: total, responseBytes: FormPost.responseBytes, authorities: authorities)
    }

    /// Asks a service, over HTTP on this machine or HTTPS.
    ///
    /// - Returns: the status of the response and its first line, at most 200 characters.
    public func ask(_ origin: RemoteOrigin) async throws(TransferFailure) -> (status: Int, line: String) {
        try await ask(
            HTTPTransfer(
                scheme: origin.scheme, url: origin.base + Self.path, socket: origin.socket, method: .get, body: nil,
                agent: agent, limits: limits))
    }

    /// Asks a service at an address of this machine over HTTP. The request contains nothing secret.
    ///
    /// - Parameter authority: the address and port, such as `10.0.0.5:8421`.
    public func ask(authority: String) async throws(TransferFailure) -> (status: Int, line: String) {
        try await ask(
            HTTPTransfer(
                scheme: "http", url: "http://" + authority + Self.path, method: .get, body: nil, agent: agent,
                limits: limits))
    }

    private static let path = "/readyz"

    private func ask(_ transfer: HTTPTransfer) async throws(TransferFailure) -> (status: Int, line: String) {
        let result: Result<(status: Int, line: String), TransferFailure>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run {
                Result { () throws(TransferFailure) in
                    let response = try transfer.run()
                    let text = response.body.shownText
                    let line = text.split(whereSeparator: \.isNewline).first.map { String($0.prefix(200)) }
                    return (response.status, line ?? "")
                }
            }
        } catch {
            throw .exhausted
        }
        return try result.get()
    }
}
