import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyServer
import LatchkeySystem

/// The service's work besides requests: delivers messages and deletes expired data.
final class BackgroundJobs: Sendable {
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation
    private let failures = Locked(0)

    init() { (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Delivers messages as soon as possible, without waiting for the delivery.
    func deliverSoon() { wake.yield() }

    /// The number of failed attempts to deliver a message since the start.
    var deliveryFailures: Int { failures.withLock { $0 } }

    /// Counts a failed attempt to deliver a message.
    func countDeliveryFailure() { failures.withLock { $0 += 1 } }

    /// Starts the work. It ends after the task is cancelled.
    ///
    /// - Parameters:
    ///   - keys: the keys of the OpenID provider, which are replaced when it is time.
    ///   - watchClock: runs once a minute.
    func start(
        _ service: AccountService, _ keys: ProviderKeys, watchClock: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        Task {
            await withTaskGroup { group in
                group.addTask { [wakes] in
                    for await _ in wakes { await service.deliverDueMessages() }
                }
                group.addTask { [self] in
                    while !Task.isCancelled {
                        // This also delivers messages that are due again after a failure.
                        _ = try? await service.maintain(by: .thisUser)
                        try? await keys.rotate(service)
                        await watchClock()
                        try? await Task.sleep(for: Self.pause)
                    }
                    wake.finish()
                }
                if let pause = ServiceManager.watchdogPause {
                    group.addTask { await Self.reportLife(of: service, every: pause) }
                }
            }
        }
    }

    /// Reports to the service manager that the service works, as long as its store responds.
    private static func reportLife(of service: AccountService, every pause: Duration) async {
        while !Task.isCancelled {
            if await isAlive(service) { ServiceManager.notify("WATCHDOG=1") }
            try? await Task.sleep(for: pause)
        }
    }

    /// Whether the service works. An unreachable database server does not count as a failure, because restarting the
    /// service would not help.
    private static func isAlive(_ service: AccountService) async -> Bool {
        do throws(AccountError) {
            _ = try await service.hasAccounts()
            return true
        } catch .store(.unreachable) {
            return true
        } catch {
            return false
        }
    }

    private static let pause = Duration.seconds(60)
}
