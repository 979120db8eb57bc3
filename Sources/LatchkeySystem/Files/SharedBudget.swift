import Glibc

/// A budget that processes share, such as memory: it limits the number of holders and their total.
///
/// A folder has one file for each holder. A holder locks its file (`flock(2)`) and writes its amount into it. The kernel
/// releases the lock when the process ends, however it ends; files without a lock do not count.
public final class SharedBudget: Sendable {
    /// The path of the folder.
    public let path: String
    private let holders: Int
    private let total: Int
    private let opened = Locked<GuardedFolder?>(nil)

    /// Describes a budget; no file is touched yet.
    ///
    /// - Parameters:
    ///   - path: the folder, created with mode 0700 when the first share is taken.
    ///   - holders: the number of holders at once, at least 1.
    ///   - total: the whole budget, in any unit. A larger share is granted when there is no other holder.
    public init(folder path: String, holders: Int, total: Int) {
        self.path = path
        self.holders = max(holders, 1)
        self.total = total
    }

    /// A part of the budget, held until it is released or dropped.
    public final class Share: Sendable {
        private let descriptor: Descriptor

        fileprivate init(_ descriptor: Descriptor) { self.descriptor = descriptor }

        /// Releases the share now. Dropping the object releases it too, but at a time that the compiler chooses.
        public func release() { _ = flock(descriptor.number, LOCK_UN) }
    }

    /// Takes a share as soon as the other holders leave enough. Blocks the thread.
    ///
    /// - Throws: ``FileError/busy`` after `deadline`; other errors of the folder and its files.
    public func take(_ amount: Int, until deadline: ContinuousClock.Instant) throws(FileError) -> Share {
        let folder = try folder()
        // Only one process looks for room at a time. Otherwise small shares would always overtake a large one.
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
                // A descriptor that is not kept closes here, which unlocks it.
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

    /// The amount that the holder wrote before it released the gate.
    private static func amount(in file: Descriptor) -> Int {
        var amount = Int64(0)
        let count = unsafe withUnsafeMutableBytes(of: &amount) {
            unsafe pread(file.number, $0.baseAddress, $0.count, 0)
        }
        // An empty file belongs to another version, or to a holder that could not write.
        return count == MemoryLayout<Int64>.size ? Int(clamping: amount) : 0
    }

    private static func write(_ amount: Int, to file: Descriptor) throws(FileError) {
        let amount = Int64(amount)
        let count = unsafe withUnsafeBytes(of: amount) { unsafe pwrite(file.number, $0.baseAddress, $0.count, 0) }
        guard count == MemoryLayout<Int64>.size else { throw .current }
    }
}
