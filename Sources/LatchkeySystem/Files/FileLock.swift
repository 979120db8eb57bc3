import Glibc

/// A lock between processes: `flock(2)` on a file that is never removed, for removing it would let two hold it.
public final class FileLock: Sendable {
    public enum Mode: Sendable { case shared, exclusive }

    private let descriptor: Descriptor

    /// Takes the lock on `name`, an empty file of ours, which is made where it is missing. Blocks the thread.
    ///
    /// It asks again and again, a little less often each time, since `flock` knows no time limit and the signal that
    /// could end it belongs to the whole process.
    ///
    /// - Parameter longestPause: microseconds between two questions.
    /// - Throws: ``FileError/busy`` where others hold it for longer than `limit`; what ``GuardedFolder/check(_:)`` throws.
    public init(
        _ name: String, in folder: GuardedFolder, mode: Mode = .exclusive, waitingUpTo limit: Duration = .seconds(5),
        longestPause: UInt32 = 50_000
    ) throws(FileError) {
        descriptor = try folder.openOrCreate(name)
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

    /// Lets others have it; dropping the object does so too, but when that happens is for the compiler to choose.
    public func release() { _ = flock(descriptor.number, LOCK_UN) }
}
