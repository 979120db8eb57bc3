import Glibc

/// A budget that processes share, such as memory. It limits the number of holders and the sum of their shares.
///
/// The folder contains a file for each holder. A holder locks its file (`flock(2)`) and writes the size of its share
/// into it. The kernel releases the lock when the process ends for any reason. Files without a lock do not count.
public final class SharedBudget: Sendable {
    /// The path of the folder.
    public let path: String
    private let holders: Int
    private let total: Int
    private let opened = Locked<GuardedFolder?>(nil)
    /// Open files by name that this process is not using. A thread removes a file from here before locking it, because
    /// two locks on one descriptor do not exclude each other.
    private let idle = Locked<[String: Descriptor]>([:])

    /// Creates a budget without accessing any file.
    ///
    /// - Parameters:
    ///   - path: the path of the folder, which is created with mode 0700 when the first share is taken.
    ///   - holders: the maximum number of concurrent holders, at least 1.
    ///   - total: the whole budget, in any unit. A larger share is granted when there is no other holder.
    public init(folder path: String, holders: Int, total: Int) {
        self.path = path
        self.holders = max(holders, 1)
        self.total = total
    }

    /// A part of the budget, held until it is released.
    public final class Share: Sendable {
        private let budget: SharedBudget
        private let name: String
        private let file: Locked<Descriptor?>

        fileprivate init(of budget: SharedBudget, _ name: String, _ file: Descriptor) {
            self.budget = budget
            self.name = name
            self.file = Locked(file)
        }

        /// Releases the share immediately. Releasing the object has the same effect, but at a time that the compiler
        /// chooses.
        public func release() {
            let held = file.withLock { file in
                defer { file = nil }
                return file
            }
            if let held { budget.putBack(held, name) }
        }
    }

    /// Takes a share when the other holders leave enough. Blocks the thread.
    ///
    /// - Throws: ``FileError/busy`` after `deadline`; other errors of the folder and its files.
    public func take(_ amount: Int, until deadline: ContinuousClock.Instant) throws(FileError) -> Share {
        let folder = try folder()
        // Only one process at a time waits for room. Otherwise, small shares would always overtake a large one.
        let gate = try FileLock(
            on: file("gate", in: folder), waitingUpTo: max(deadline - .now, .zero), longestPause: 20_000)
        defer { putBack(gate.descriptor, "gate") }
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

    /// Opens a file in the folder, or takes an open file that still has this name.
    private func file(_ name: String, in folder: GuardedFolder) throws(FileError) -> Descriptor {
        guard let open = idle.withLock({ $0.removeValue(forKey: name) }), case let status = try open.status,
            status.linkCount > 0
        else { return try folder.openOrCreate(name) }
        try folder.check(status, name)
        return open
    }

    /// Unlocks a file and keeps it open for the next share.
    private func putBack(_ file: Descriptor, _ name: String) {
        _ = flock(file.number, LOCK_UN)
        idle.withLock { $0[name] = file }
    }

    private func room(for amount: Int, in folder: GuardedFolder) throws(FileError) -> Share? {
        var free: (name: String, file: Descriptor)?
        var held = 0
        for number in 0..<holders {
            let name = "\(number)"
            let file = try file(name, in: folder)
            if flock(file.number, LOCK_EX | LOCK_NB) == 0 {
                if free == nil { free = (name, file) } else { putBack(file, name) }
            } else {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw .current }
                held += Self.amount(in: file)
                putBack(file, name)
            }
        }
        guard let free else { return nil }
        guard held == 0 || held + amount <= total else {
            putBack(free.file, free.name)
            return nil
        }
        try Self.write(amount, to: free.file)
        return Share(of: self, free.name, free.file)
    }

    /// The size of the share that the holder wrote before it released the gate.
    private static func amount(in file: Descriptor) -> Int {
        var amount = Int64(0)
        let count = unsafe withUnsafeMutableBytes(of: &amount) {
            unsafe pread(file.number, $0.baseAddress, $0.count, 0)
        }
        // An empty file belongs to a different version, or to a holder that could not write its share.
        return count == MemoryLayout<Int64>.size ? Int(clamping: amount) : 0
    }

    private static func write(_ amount: Int, to file: Descriptor) throws(FileError) {
        let amount = Int64(amount)
        let count = unsafe withUnsafeBytes(of: amount) { unsafe pwrite(file.number, $0.baseAddress, $0.count, 0) }
        guard count == MemoryLayout<Int64>.size else { throw .current }
    }
}
