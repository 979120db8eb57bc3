import Glibc
import LatchkeyHTTP
import LatchkeySystem

/// The protocol of service managers such as systemd: sockets that they open, and news that they wait for.
enum ServiceManager {
    /// Tells the service manager about a state (sd_notify(3)); does nothing without one.
    static func notify(_ state: String) {
        guard let name = variable("NOTIFY_SOCKET") else { return }
        UnixDatagram.send(state, to: name)
    }

    /// How often the service manager wants to hear `WATCHDOG=1` (sd_watchdog_enabled(3)); nil if it does not listen.
    /// Half of its limit, so that one late answer is not the end.
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
