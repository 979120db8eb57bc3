import CLinux
import Glibc

/// What the caller had set before ``ProcessGuard/enter()`` set it for us.
public struct CallersWorld: Sendable {
    let fileModeMask: UInt32
    let coreLimit: UInt
    let descriptors: [Int32]
    let ignoredFileSizeSignal: Bool

    /// Gives back umask, core limit, descriptors and signal: right before this process becomes another program. That it
    /// was undumpable ends with it (prctl(2)).
    public func restore() {
        for number in descriptors { _ = latchkey_set_close_on_exec(number, 0) }
        _ = umask(fileModeMask)
        _ = latchkey_exchange_core_limit(coreLimit, nil)
        if !ignoredFileSizeSignal { _ = signal(SIGXFSZ, SIG_DFL) }
    }
}
