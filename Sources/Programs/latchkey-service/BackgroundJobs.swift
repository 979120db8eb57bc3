import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyServer
import LatchkeySystem

/// The service's work besides requests: delivers messages, seals the audit trail and deletes expired data.
final class BackgroundJobs: Sendable {
    /// Starts the delivery of one kind of message.
    private struct Wakes {
        let stream: AsyncStream<Void>
        let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }
    }

    // A slow application delays no mail, and a slow mail server no notice.
    private let mail = Wakes()
    private let logouts = Wakes()
    private let failures = Locked((mail: 0, logout: 0))

    /// Delivers messages as soon as possible, without waiting for the delivery.
    func deliverSoon() {
        mail.continuation.yield()
        logouts.continuation.yield()
    }

    /// The numbers of failed attempts to deliver mail and logout notices since the start.
    var deliveryFailures: (mail: Int, logout: Int) { failures.withLock { $0 } }

    /// Counts a failed attempt.
    func count(_ failure: DeliveryFailure) {
        failures.withLock { failures in
            if failure.client == nil { failures.mail += 1 } else { failures.logout += 1 }
        }
    }

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
                for (kind, wakes) in [(OutboxMessage.Kind.mail, mail), (.logout, logouts)] {
                    group.addTask { for await _ in wakes.stream { await service.deliverDueMessages(kind) } }
                }
                group.addTask { [self] in
                    while !Task.isCancelled {
                        // This also delivers messages that are due again after a failure.
                        _ = try? await service.maintain(by: .thisUser)
                        try? await keys.rotate(service)
                        await watchClock()
                        try? await Task.sleep(for: Self.pause)
                    }
                    mail.continuation.finish()
                    logouts.continuation.finish()
                }
                group.addTask {
                    _ = try? await service.prepareStore()
                    while !Task.isCancelled {
                        // The records wait for the next time if the store cannot be reached.
                        _ = try? await service.sealAudit()
                        try? await Task.sleep(for: Self.sealingPause)
                    }
                }
                if service.sendsLogouts {
                    group.addTask { [logouts] in
                        // A command of this machine does not wake the service, and an attempt is repeated after ten
                        // seconds.
                        while !Task.isCancelled {
                            if await service.hasDueLogouts() { logouts.continuation.yield() }
                            try? await Task.sleep(for: Self.logoutPause)
                        }
                    }
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
    private static let sealingPause = Duration.seconds(1)
    private static let logoutPause = Duration.seconds(2)
}
