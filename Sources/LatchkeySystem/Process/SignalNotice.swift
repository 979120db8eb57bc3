import Glibc

// What the handler may touch: a constant at first, so that no lazy initialiser runs inside it.
//
// Proof: a word, written whole by the handler and only ever read elsewhere; whoever reads the old one looks again.
private nonisolated(unsafe) var noted: Int32 = 0

/// That the process has been asked to end, for work that comes to a good end first.
public enum SignalNotice {
    /// Notes these signals from now on, instead of ending by them; the second one of a kind ends the process at once. What
    /// was ignored stays so: that is what `nohup` asks for.
    public static func watch(_ signals: [Int32]) {
        for signal in signals {
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

    /// The one that came last; nil where none has come.
    public static var received: Int32? { unsafe noted == 0 ? nil : noted }
}

private func note(_ number: Int32) { unsafe noted = number }
