import Glibc

/// A lock between processes: `flock(2)` on a file that is never removed. If it were removed, two processes could hold
/// the lock.
package final class FileLock: Sendable {
    /// Whether several processes may hold the lock together.
    package enum Mode: Sendable { case shared, exclusive }

    /// The open file. Another lock can use it after this one is released.
    let descriptor: Descriptor

    /// Takes the lock on `name`, an empty file that is created if it is missing. Blocks the thread.
    ///
    /// - Parameter longestPause: the longest pause between two attempts, in microseconds.
    /// - Throws: ``FileError/busy`` if other processes hold the lock for longer than `limit`; the errors of
    ///   ``GuardedFolder/check(_:)``.
    package convenience init(
        _ name: String, in folder: GuardedFolder, mode: Mode = .exclusive, waitingUpTo limit: Duration = .seconds(5),
        longestPause: UInt32 = 50_000
    ) throws(FileError) {
        try self.init(on: folder.openOrCreate(name), mode: mode, waitingUpTo: limit, longestPause: longestPause)
    }

    /// Takes the lock on an open file that is not used by another lock of this process.
    ///
    /// It polls with increasing pauses, because `flock` has no timeout and a signal to interrupt it would affect the
    /// whole process.
    init(
        on descriptor: Descriptor, mode: Mode = .exclusive, waitingUpTo limit: Duration, longestPause: UInt32
    ) throws(FileError) {
        self.descriptor = descriptor
        let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        let deadline = ContinuousClock.now + limit
        var pause: UInt32 = 1000  // microseconds
        while flock(descriptor.number, operation) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw .current }
            guard ContinuousClock.now < deadline else { throw .busy }
            usleep(pause)
            pause = min(pause * 2, longestPause)
        }
    }

    /// Releases the lock immediately. Releasing the object has the same effect, but at a time that the compiler
    /// chooses.
    package func release() { _ = flock(descriptor.number, LOCK_UN) }
}
