import Glibc
import LatchkeyHTTP
import LatchkeySystem

/// The protocol of service managers such as systemd: inherited sockets and status notifications.
enum ServiceManager {
    /// Reports a state to the service manager (sd_notify(3)). Does nothing if there is none.
    static func notify(_ state: String) {
        guard let name = variable("NOTIFY_SOCKET") else { return }
        UnixDatagram.send(state, to: name)
    }

    /// The interval for sending `WATCHDOG=1` to the service manager (sd_watchdog_enabled(3)); nil if it does not expect
    /// it. This is half of the manager's limit, so that a single late notification is tolerated.
    static var watchdogPause: Duration? {
        let process = variable("WATCHDOG_PID")
        guard process == nil || process.flatMap({ Int32($0) }) == getpid(),
            let limit = variable("WATCHDOG_USEC").flatMap({ Int64($0) }), limit > 1
        else { return nil }
        return .microseconds(limit / 2)
    }

    /// The sockets that the service manager has opened for this process (sd_listen_fds(3)).
    static func sockets(_ inherited: InheritedEnvironment?) -> [ListenSocket] {
        guard let inherited, variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(),
            let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), 1...64 ~= count
        else { return [] }
        return (3..<3 + count).filter(inherited.has).compactMap { ListenSocket(inherited: $0) }
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }
}
