import Glibc

// A constant initial value, so that no lazy initialiser runs inside the signal handler.
//
// Proof: one word, written only by the handler; a reader that sees the old value reads it again later.
private nonisolated(unsafe) var noted: Int32 = 0

/// Records that a signal has asked the process to end, for work that must finish a step first.
public enum SignalNotice {
    /// Records SIGINT, SIGTERM and SIGHUP from now on instead of ending the process; a second one of the same kind ends it
    /// at once. Ignored signals stay ignored, as `nohup` needs.
    public static func watchInterruptions() {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            var action = sigaction()
            _ = unsafe sigaction(signal, nil, &action)
            let isIgnored =
                unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
            if isIgnored { continue }
            action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = note
            action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
            _ = unsafe sigaction(signal, &action, nil)
        }
    }

    /// The latest signal; nil if none has come.
    public static var received: Int32? { unsafe noted == 0 ? nil : noted }
}

private func note(_ number: Int32) { unsafe noted = number }
