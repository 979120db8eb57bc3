import CLinux
import Glibc

// What the handler may touch: a constant at first, so that no lazy initialiser runs inside it.
//
// Proof: a word, written once, before any handler that reads it is installed.
private nonisolated(unsafe) var endings: Int32 = -1

/// What is still to be said before the process ends: by itself, by a signal that is watched, or by becoming another program.
/// Only a crash and SIGKILL cut it short.
public enum LastWords {
    private static let said = Locked<[@Sendable () -> Void]>([])

    /// Runs `words` before the end, whichever comes; more than once where the end does not come after all.
    public static func add(_ words: @escaping @Sendable () -> Void) {
        let isFirst = said.withLock { said in
            said.append(words)
            return said.count == 1
        }
        if isFirst { _ = atexit { LastWords.say() } }
    }

    /// Says them now: before what ends the process without `exit`.
    public static func say() {
        for words in said.withLock({ $0 }) { words() }
    }

    /// Sees to it that these signals, where they would just end the process, do so after the last words. Whoever hears them
    /// otherwise, or ignores them, still does; the second one of a kind ends the process at once. To be called once.
    ///
    /// - Throws: where the system has no thread or pipe to give.
    public static func watch(_ signals: [Int32]) throws(SystemError) {
        var ends: (Int32, Int32) = (-1, -1)
        let code = unsafe withUnsafeMutableBytes(of: &ends) { ends in
            unsafe pipe(ends.assumingMemoryBound(to: Int32.self).baseAddress!)
        }
        guard code == 0 else { throw SystemError(code: errno) }
        for end in [ends.0, ends.1] { _ = latchkey_set_close_on_exec(end, 1) }
        let heard = ends.0
        try DetachedThread.start { die(ofWhatComesFrom: heard) }
        unsafe endings = ends.1
        for signal in signals {
            var action = sigaction()
            _ = unsafe sigaction(signal, nil, &action)
            let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            let byDefault = unsafe unsafeBitCast(SIG_DFL, to: Int.self)
            guard handler == byDefault else { continue }
            action = sigaction()
            unsafe action.__sigaction_handler.sa_handler = note
            action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
            _ = unsafe sigaction(signal, &action, nil)
        }
    }

    private static func die(ofWhatComesFrom pipe: Int32) {
        var byte: UInt8 = 0
        while unsafe read(pipe, &byte, 1) != 1 {
            guard errno == EINTR else { return }
        }
        let number = Int32(byte)
        say()
        _ = signal(number, SIG_DFL)
        var set = sigset_t()
        _ = unsafe sigemptyset(&set)
        _ = unsafe sigaddset(&set, number)
        _ = unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        _exit(128 + number)
    }
}

private func note(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = unsafe write(endings, &byte, 1)
    errno = error
}
