import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyHTTP
import LatchkeyServer
import LatchkeySystem

/// The routes for monitoring, on a separate listener (`--metrics-listen`).
struct HealthRoutes: Sendable {
    private let router: Router

    /// - Parameters:
    ///   - requests: counts the requests of the other listeners.
    ///   - hashes: the requests that wait for a hash.
    ///   - jobs: counts the failed deliveries.
    init(
        of service: AccountService, _ requests: RequestCounter, _ hashes: HashQueue, _ readiness: Readiness,
        _ jobs: BackgroundJobs
    ) {
        let routes = [
            // The process responds.
            Router.Route("GET", "/healthz") { _, _ in .plain(200, "ok") },
            Router.Route("GET", "/readyz") { _, _ in
                let state = await readiness.state
                return .plain(state.isReady ? 200 : 503, state.line)
            },
            Router.Route("GET", "/metrics") { _, _ in
                guard let figures = try? await service.metrics() else { return .plain(503, "the store cannot be read") }
                var text = figures.prometheus(version: CommandLineTool.version)
                requests.add(to: &text)
                hashes.add(to: &text)
                let failures = jobs.deliveryFailures
                text.add(
                    "latchkey_mail_failures_total", .counter, "Failed attempts to deliver a message.",
                    [.init(failures.mail)])
                text.add(
                    "latchkey_logout_failures_total", .counter,
                    "Failed attempts to notify an application of a logout.", [.init(failures.logout)])
                service.storeActivity?.add(to: &text)
                var response = HTTPResponse.plain(200, text.text)
                response.headers[0].value = "text/plain; version=0.0.4; charset=utf-8"
                return response
            },
        ]
        router = Router(routes) { _, status in .plain(status, "not here") }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse { await router.respond(to: request) }
}

/// Whether the service can serve requests: it can change the store, and its clock agrees with the database's. Any number
/// of requests causes at most one check a second.
actor Readiness {
    private let service: AccountService
    private var last: (state: State, time: ContinuousClock.Instant)?
    /// The check that runs now. Requests in the meantime wait for it.
    private var running: Task<State, Never>?

    struct State {
        let isReady: Bool
        /// The reason, for the operator.
        let line: String
    }

    init(of service: AccountService) { self.service = service }

    /// The state, at most a second old.
    var state: State {
        get async {
            if let last, last.time.duration(to: .now) < .seconds(1) { return last.state }
            if let running { return await running.value }
            let check = Task { [service] in await Self.check(service) }
            running = check
            let state = await check.value
            (last, running) = ((state, .now), nil)
            return state
        }
    }

    private static func check(_ service: AccountService) async -> State {
        do throws(AccountError) {
            try await service.checkWritable()
            guard let difference = try await service.clockDifference() else { return State(isReady: true, line: "ok") }
            let line = "the clock differs from the database's by \(difference.secondsText) s"
            let isReady = difference.absolute <= AccountService.largestClockDifference
            return State(isReady: isReady, line: isReady ? "ok: " + line : line)
        } catch {
            return State(isReady: false, line: "the store cannot be written")
        }
    }

    /// The answer to a request on a public listener, without reasons; nil if the request is for something else. Proxies and
    /// containers ask with any host name.
    nonisolated func answer(to request: HTTPRequest) async -> HTTPResponse? {
        guard request.method == "GET" || request.method == "HEAD" else { return nil }
        switch request.target.path {
        case ["healthz"]: return .plain(200, "ok")
        case ["readyz"]: return await state.isReady ? .plain(200, "ok") : .plain(503, "not ready")
        default: return nil
        }
    }
}

extension HTTPResponse {
    fileprivate static func plain(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(status: status, text + (text.hasSuffix("\n") ? "" : "\n"), as: "text/plain; charset=utf-8")
            .adding("Cache-Control", "no-store")
    }
}

extension StoreActivity {
    fileprivate func add(to text: inout PrometheusText) {
        text.add(
            "latchkey_store_repeated_transactions_total", .counter,
            "Transactions that ran again because of a concurrent one or a lost connection.",
            [.init(conflicts, [("reason", "conflict")]), .init(lostConnections, [("reason", "connection")])])
        text.add(
            "latchkey_store_exclusive_transactions_total", .counter,
            "Transactions that ran without any other writer after several conflicts.", [.init(exclusiveTransactions)])
    }
}

extension HashQueue {
    fileprivate func add(to text: inout PrometheusText) {
        let figures = figures
        text.add(
            "latchkey_hash_queue_length", .gauge, "Requests that wait for the hash of a password.",
            [.init(figures.waiting)])
        text.add(
            "latchkey_hash_queue_refusals_total", .counter, "Requests refused because too many waited for a hash.",
            [.init(figures.refused)])
    }
}

/// Counts responses by route and status, with their durations. It uses templates of routes instead of paths, because
/// their number is limited.
final class RequestCounter: Sendable {
    private struct Key: Hashable {
        let route: String
        let status: Int
    }

    private struct Count {
        var responses = 0
        var time = Duration.zero
    }

    private let counts = Locked<[Key: Count]>([:])

    func count(_ entry: HTTPLogEntry) {
        counts.withLock { counts in
            let key = Key(route: entry.route ?? "none", status: entry.status)
            counts[key, default: Count()].responses += 1
            counts[key, default: Count()].time += entry.duration
        }
    }

    func add(to text: inout PrometheusText) {
        let sorted = counts.withLock { $0 }.sorted { ($0.key.route, $0.key.status) < ($1.key.route, $1.key.status) }
        text.add(
            "latchkey_http_responses_total", .counter, "Responses by route and status.",
            sorted.map { .init($0.value.responses, [("route", $0.key.route), ("status", String($0.key.status))]) })
        text.add(
            "latchkey_http_response_seconds_total", .counter,
            "Time from the request to its response, by route and status.",
            sorted.map { .init($0.value.time, [("route", $0.key.route), ("status", String($0.key.status))]) })
    }
}
