import Glibc

/// What processes may use together of one thing, such as memory: so many holders at once, and so much in all.
///
/// A folder holds a file for each holder. Whoever holds one has its lock (`flock(2)`), and has written into it how much
/// is theirs. The kernel takes the lock back when the process ends, however it ends, and what stands in a file that
/// nobody has locked counts for nothing.
public final class SharedBudget: Sendable {
    /// The folder.
    public let path: String
    private let holders: Int
    private let total: Int
    private let opened = Locked<GuardedFolder?>(nil)

    /// - Parameters:
    ///   - path: the folder, which is made (mode 0700) when the first share is taken.
    ///   - holders: how many at once, at least 1.
    ///   - total: how much in all, in any unit. A share that is larger is given all the same, to nobody beside whom.
    public init(folder path: String, holders: Int, total: Int) {
        self.path = path
        self.holders = max(holders, 1)
        self.total = total
    }

    /// A part of the budget, until it is released or dropped.
    public final class Share: Sendable {
        private let descriptor: Descriptor

        fileprivate init(_ descriptor: Descriptor) { self.descriptor = descriptor }

        /// When an object is dropped is for the compiler to choose; this is now.
        public func release() { _ = flock(descriptor.number, LOCK_UN) }
    }

    /// Takes a share as soon as others leave enough. Blocks the thread.
    ///
    /// - Throws: ``FileError/busy`` where they have not by `deadline`; what the folder and its files fail with.
    public func take(_ amount: Int, until deadline: ContinuousClock.Instant) throws(FileError) -> Share {
        let folder = try folder()
        // One at a time looks for room, or a small share would always find some before a large one does.
        let gate = try FileLock(
            "gate", in: folder, waitingUpTo: max(deadline - .now, .zero), longestPause: 20_000)
        defer { gate.release() }
        while true {
            if let share = try room(for: amount, in: folder) { return share }
            guard ContinuousClock.now < deadline else { throw .busy }
            usleep(2000)
        }
    }

    private func folder() throws(FileError) -> GuardedFolder {
        if let folder = opened.withLock({ $0 }) { return folder }
        let folder = try GuardedFolder(making: path)
        opened.withLock { $0 = folder }
        return folder
    }

    private func room(for amount: Int, in folder: GuardedFolder) throws(FileError) -> Share? {
        var free: Descriptor?
        var held = 0
        for number in 0..<holders {
            let file = try folder.openOrCreate("\(number)")
            if flock(file.number, LOCK_EX | LOCK_NB) == 0 {
                // Closed at once where it is not needed, which unlocks it.
                if free == nil { free = file }
            } else {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw .current }
                held += Self.amount(in: file)
            }
        }
        guard let free, held == 0 || held + amount <= total else { return nil }
        try Self.write(amount, to: free)
        return Share(free)
    }

    /// As its holder wrote it, who did so before leaving the gate.
    private static func amount(in file: Descriptor) -> Int {
        var amount = Int64(0)
        let count = unsafe withUnsafeMutableBytes(of: &amount) {
            unsafe pread(file.number, $0.baseAddress, $0.count, 0)
        }
        // An empty file: a holder of another version, or one that could not write.
        return count == MemoryLayout<Int64>.size ? Int(clamping: amount) : 0
    }

    private static func write(_ amount: Int, to file: Descriptor) throws(FileError) {
        let amount = Int64(amount)
        let count = unsafe withUnsafeBytes(of: amount) { unsafe pwrite(file.number, $0.baseAddress, $0.count, 0) }
        guard count == MemoryLayout<Int64>.size else { throw .current }
    }
}
