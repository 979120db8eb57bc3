import CSodium

/// Bytes that must not be left behind: in locked, guarded memory, wiped when the value is dropped.
///
/// The buffer is taken once, at its capacity, and never grows: a growing buffer leaves its prefixes in freed memory.
/// Where the system has no memory to give, the capacity is 0 and every append answers false.
@safe
public struct SecretBytes: ~Copyable {
    private let storage: UnsafeMutableBufferPointer<UInt8>

    /// How many bytes are held, 0 to ``capacity``.
    public private(set) var count = 0

    /// Takes `capacity` bytes of locked memory (libsodium's `sodium_malloc`: guard pages around it, wiped when freed).
    public init(capacity: Int) {
        Sodium.start()
        let start = unsafe sodium_malloc(max(capacity, 1))
        let granted = unsafe start == nil ? 0 : capacity
        unsafe storage = UnsafeMutableBufferPointer(
            start: start?.assumingMemoryBound(to: UInt8.self), count: granted)
    }

    /// A buffer that holds exactly `bytes` and has no room for more.
    public init(copying bytes: Span<UInt8>) {
        self.init(capacity: bytes.count)
        _ = append(bytes)
    }

    deinit { unsafe sodium_free(storage.baseAddress) }

    /// How many bytes the buffer can hold.
    public var capacity: Int { unsafe storage.count }

    public var isEmpty: Bool { count == 0 }

    /// Adds `bytes` at the end. Answers false, and adds nothing, where they do not fit.
    public mutating func append(_ bytes: Span<UInt8>) -> Bool {
        replaceSubrange(count..<count, with: bytes)
    }

    /// Adds one byte at the end. Answers false where it does not fit.
    public mutating func append(_ byte: UInt8) -> Bool {
        guard count < capacity else { return false }
        unsafe storage[count] = byte
        count += 1
        return true
    }

    /// Puts `bytes` in the place of `range`. Answers false, and changes nothing, where they do not fit or where
    /// `range` is not within what is held.
    public mutating func replaceSubrange(_ range: Range<Int>, with bytes: Span<UInt8>) -> Bool {
        guard range.lowerBound >= 0, range.upperBound <= count else { return false }
        let newCount = count - range.count + bytes.count
        guard newCount <= capacity else { return false }
        guard let base = unsafe storage.baseAddress else { return true }
        let tail = count - range.upperBound
        let newTail = range.lowerBound + bytes.count
        unsafe (base + newTail).update(from: base + range.upperBound, count: tail)
        for index in bytes.indices { unsafe storage[range.lowerBound + index] = bytes[index] }
        if newCount < count { unsafe sodium_memzero(base + newCount, count - newCount) }
        count = newCount
        return true
    }

    /// Wipes what is held; the capacity stays.
    public mutating func removeAll() {
        if let base = unsafe storage.baseAddress { unsafe sodium_memzero(base, count) }
        count = 0
    }

    /// Lends the bytes to `body`, which must not copy them anywhere that is not wiped.
    public borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeBufferPointer(rebasing: storage[..<count]).span)
    }

    /// Lends the whole capacity to `body`, which writes from the start and answers how many bytes it wrote.
    ///
    /// - Throws: what `body` throws; the buffer is then empty.
    public mutating func fill<Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws(Failure) -> Int
    ) throws(Failure) {
        removeAll()
        do {
            count = try unsafe min(max(body(storage), 0), capacity)
        } catch {
            if let base = unsafe storage.baseAddress { unsafe sodium_memzero(base, capacity) }
            throw error
        }
    }
}

// The storage has one owner, for the struct cannot be copied, and changes only through `mutating` functions, for which
// the language demands exclusive access: no two threads can reach it at once.
extension SecretBytes: @unchecked Sendable {}
