import CSodium

/// Bytes that must not be left behind: in locked, guarded memory, wiped when the value is dropped.
///
/// The buffer is taken once, at its capacity, and never grows: a growing buffer leaves its prefixes in freed memory.
@safe
public struct SecretBytes: ~Copyable {
    private let start: UnsafeMutablePointer<UInt8>
    private let isGuarded: Bool

    /// How many bytes the buffer can hold.
    public let capacity: Int

    /// How many bytes are held, 0 to ``capacity``.
    public private(set) var count = 0

    /// Takes `capacity` bytes of locked memory (libsodium's `sodium_malloc`: guard pages around it, wiped when freed).
    ///
    /// Each buffer takes pages of its own, and the kernel grants a process some sixteen thousand of them
    /// (`vm.max_map_count`). Where it grants no more, the bytes lie in ordinary memory, and are wiped all the same: an
    /// import of many accounts goes on, and no secret is ever cut.
    public init(capacity: Int) {
        Sodium.start()
        unsafe self.init(capacity: capacity) { unsafe sodium_malloc($0) }
    }

    /// - Parameter guarded: gives guarded memory of so many bytes, or nil where there is none.
    init(capacity: Int, guarded: (Int) -> UnsafeMutableRawPointer?) {
        self.capacity = max(capacity, 0)
        let size = max(capacity, 1)
        if let granted = unsafe guarded(size) {
            unsafe start = granted.assumingMemoryBound(to: UInt8.self)
            isGuarded = true
        } else {
            unsafe start = .allocate(capacity: size)
            isGuarded = false
        }
        unsafe sodium_memzero(start, size)
    }

    /// A buffer that holds exactly `bytes` and has no room for more.
    public init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count)
        _ = append(bytes)
    }

    deinit {
        if isGuarded {
            unsafe sodium_free(start)
        } else {
            unsafe sodium_memzero(start, capacity)
            unsafe start.deallocate()
        }
    }

    public var isEmpty: Bool { count == 0 }

    /// Adds `bytes` at the end. Answers false, and adds nothing, where they do not fit.
    public mutating func append(_ bytes: Span<UInt8>) -> Bool {
        replaceSubrange(count..<count, with: bytes)
    }

    /// Adds one byte at the end. Answers false where it does not fit.
    public mutating func append(_ byte: UInt8) -> Bool {
        guard count < capacity else { return false }
        unsafe start[count] = byte
        count += 1
        return true
    }

    /// Puts `bytes` in the place of `range`. Answers false, and changes nothing, where they do not fit or where
    /// `range` is not within what is held.
    public mutating func replaceSubrange(_ range: Range<Int>, with bytes: Span<UInt8>) -> Bool {
        guard range.lowerBound >= 0, range.upperBound <= count else { return false }
        let newCount = count - range.count + bytes.count
        guard newCount <= capacity else { return false }
        let newTail = range.lowerBound + bytes.count
        unsafe (start + newTail).update(from: start + range.upperBound, count: count - range.upperBound)
        for index in bytes.indices { unsafe start[range.lowerBound + index] = bytes[index] }
        if newCount < count { unsafe sodium_memzero(start + newCount, count - newCount) }
        count = newCount
        return true
    }

    /// Wipes what is held; the capacity stays.
    public mutating func removeAll() {
        unsafe sodium_memzero(start, count)
        count = 0
    }

    /// Lends the bytes to `body`, which must not copy them anywhere that is not wiped.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeBufferPointer(start: start, count: count).span)
    }

    /// Lends the whole capacity to `body`, which writes from the start and answers how many bytes it wrote. What was
    /// held before is wiped first, and what `body` wrote behind its count afterwards.
    ///
    /// - Throws: what `body` throws; the buffer is then empty.
    public mutating func fill<Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Int
    ) throws(Failure) {
        removeAll()
        defer { unsafe sodium_memzero(start + count, capacity - count) }
        count = try unsafe min(max(body(UnsafeMutableBufferPointer(start: start, count: capacity)), 0), capacity)
    }

    /// Lends the room behind what is held to `body`, which writes from its start and answers how many bytes it wrote.
    /// What it wrote behind them is wiped.
    ///
    /// - Returns: how many bytes were added.
    /// - Throws: what `body` throws; nothing is then added.
    public mutating func extend<Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        defer { unsafe sodium_memzero(start + count, capacity - count) }
        let room = unsafe UnsafeMutableBufferPointer(start: start + count, count: capacity - count)
        let added = try unsafe min(max(body(room), 0), capacity - count)
        count += added
        return added
    }
}

// The storage has one owner, for the struct cannot be copied, and changes only through `mutating` functions, for which
// the language demands exclusive access: no two threads can reach it at once.
extension SecretBytes: @unchecked Sendable {}
