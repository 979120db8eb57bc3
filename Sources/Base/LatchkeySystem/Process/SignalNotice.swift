import CLinux
import Glibc

// The initial value is a constant, so that no lazy initialiser runs inside the signal handler.
//
// Proof: this is a single word that only the handler writes. A reader that sees the old value reads it again later.
private nonisolated(unsafe) var noted: Int32 = 0

// Used like `noted`; -1 while no task waits.
private nonisolated(unsafe) var waitingPipe: Int32 = -1

/// Records that a signal has asked the process to end, for work that must first finish a step.
package enum SignalNotice {
    /// From now on, records SIGINT, SIGTERM and SIGHUP instead of ending the process. A second signal of the same kind
    /// ends it immediately. Ignored signals stay ignored, as `nohup` requires.
    package static func watchInterruptions() {
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

    /// The latest signal; nil if none has arrived.
    package static var received: Int32? { unsafe noted == 0 ? nil : noted }

    /// Waits for a signal, on a separate thread. Call this once, after ``watchInterruptions()``.
    ///
    /// - Throws: ``SystemError`` if no thread or pipe is available.
    package static func wait() async throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        let code = unsafe withUnsafeMutableBytes(of: &ends) { ends in
            unsafe pipe(ends.assumingMemoryBound(to: Int32.self).baseAddress!)
        }
        guard code == 0 else { throw SystemError(code: errno) }
        for end in [ends.0, ends.1] { _ = latchkey_set_close_on_exec(end, 1) }
        let readEnd = ends.0
        let arrival = AsyncStream<Void>.makeStream()
        try DetachedThread.start {
            var byte: UInt8 = 0
            while received == nil, unsafe read(readEnd, &byte, 1) < 0, errno == EINTR {}
            arrival.continuation.finish()
        }
        unsafe waitingPipe = ends.1
        // A signal that arrived before this point did not find the pipe.
        if received != nil { arrival.continuation.finish() }
        for await _ in arrival.stream {}
    }
}

private func note(_ number: Int32) {
    unsafe noted = number
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    if unsafe waitingPipe >= 0 { _ = unsafe write(waitingPipe, &byte, 1) }
    errno = error
}
