import CSodium

/// Secret bytes in locked memory, which are wiped when the value is released.
///
/// The buffer never grows, because growing would leave copies of its contents in freed memory.
@safe
public struct SecretBytes: ~Copyable {
    private let start: UnsafeMutablePointer<UInt8>
    private let origin: Origin

    /// The maximum number of bytes in the buffer.
    public let capacity: Int

    /// The number of bytes stored, 0 to ``capacity``.
    public private(set) var count = 0

    private enum Origin { case lent, sodium, ordinary }

    /// Allocates `capacity` bytes of locked memory, which are wiped when the value is released. Up to 4096 bytes are a
    /// piece of a larger buffer. More bytes get separate pages with guard pages on both sides (libsodium's
    /// `sodium_malloc`).
    ///
    /// The kernel limits locked memory and the number of maps (`RLIMIT_MEMLOCK`, `vm.max_map_count`). Beyond these
    /// limits, the bytes are in ordinary memory and are still wiped, so that a large import can continue.
    public init(capacity: Int) {
        Sodium.start()
        unsafe self.init(capacity: capacity) {
            unsafe $0 > LockedMemory.largestPiece ? sodium_malloc($0) : LockedMemory.lend($0)
        }
    }

    /// - Parameter locked: returns locked memory of the given size, or nil.
    init(capacity: Int, locked: (Int) -> UnsafeMutableRawPointer?) {
        self.capacity = max(capacity, 0)
        let size = max(capacity, 1)
        if let granted = unsafe locked(size) {
            unsafe start = granted.assumingMemoryBound(to: UInt8.self)
            origin = size > LockedMemory.largestPiece ? .sodium : .lent
        } else {
            unsafe start = .allocate(capacity: size)
            origin = .ordinary
        }
        unsafe sodium_memzero(start, size)
    }

    /// Copies `bytes` into a buffer of exactly their size.
    public init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count)
        _ = append(bytes)
    }

    deinit {
        switch origin {
        case .lent: unsafe LockedMemory.takeBack(start, max(capacity, 1))
        case .sodium: unsafe sodium_free(start)
        case .ordinary:
            unsafe sodium_memzero(start, capacity)
            unsafe start.deallocate()
        }
    }

    /// Whether the buffer is empty.
    public var isEmpty: Bool { count == 0 }

    /// Appends `bytes`. If they do not fit, appends nothing and returns false.
    public mutating func append(_ bytes: Span<UInt8>) -> Bool {
        replaceSubrange(count..<count, with: bytes)
    }

    /// Appends one byte. If it does not fit, returns false.
    public mutating func append(_ byte: UInt8) -> Bool {
        guard count < capacity else { return false }
        unsafe start[count] = byte
        count += 1
        return true
    }

    /// Replaces `range` with `bytes`. If they do not fit or `range` is out of bounds, changes nothing and returns
    /// false.
    public mutating func replaceSubrange(_ range: Range<Int>, with bytes: Span<UInt8>) -> Bool {
        guard range.lowerBound >= 0, range.upperBound <= count else { return false }
        let newCount = count - range.count + bytes.count
        guard newCount <= capacity else { return false }
        let newTail = range.lowerBound + bytes.count
        unsafe (start + newTail).update(from: start + range.upperBound, count: count - range.upperBound)
        unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            unsafe (start + range.lowerBound).update(from: first, count: bytes.count)
        }
        if newCount < count { unsafe sodium_memzero(start + newCount, count - newCount) }
        count = newCount
        return true
    }

    /// Wipes all bytes. The capacity does not change.
    public mutating func removeAll() {
        unsafe sodium_memzero(start, count)
        count = 0
    }

    /// Lends the bytes to `body`, which may only copy them into memory that is wiped.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeBufferPointer(start: start, count: count).span)
    }

    /// Wipes the buffer and lends its whole capacity to `body`, which writes from the start and returns the number of
    /// written bytes. The rest of the buffer is wiped.
    ///
    /// - Throws: the error of `body`. The buffer is then empty.
    public mutating func fill<Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Int
    ) throws(Failure) {
        removeAll()
        defer { unsafe sodium_memzero(start + count, capacity - count) }
        count = try unsafe min(max(body(UnsafeMutableBufferPointer(start: start, count: capacity)), 0), capacity)
    }

    /// Lends the free space to `body`, which writes from its start and returns the number of written bytes. The rest of
    /// the space is wiped.
    ///
    /// - Returns: the number of bytes added.
    /// - Throws: the error of `body`. No bytes are added.
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

// Proof: the struct cannot be copied, so its storage has one owner. Only `mutating` functions change it, and these need
// exclusive access.
extension SecretBytes: @unchecked Sendable {}

/// Initialises libsodium before its first use.
enum Sodium {
    private static let started = sodium_init() >= 0

    /// This is idempotent and safe on any thread (`sodium_init(3)`). After a failure, libsodium allocates no memory,
    /// which every hash needs.
    static func start() { _ = started }
}
