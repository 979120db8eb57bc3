import CSodium
import Glibc

/// Lends pieces of locked memory from a few large buffers, so that most secrets need no system call.
///
/// A large buffer comes from libsodium's `sodium_malloc`. It has guard pages on both sides, is locked into memory and
/// is excluded from core dumps. The process keeps the buffer. A returned piece is wiped and lent again.
enum LockedMemory {
    /// The maximum size of a piece in bytes. A larger secret gets separate pages.
    static let largestPiece = 4096

    /// Sixteen pages minus the 16 bytes of libsodium's canary, because 64 KiB is the lowest common limit for locked
    /// memory (`RLIMIT_MEMLOCK`).
    private static let bufferSize = 65_536 - 16

    /// For each size of 32, 64, 128 … 4096 bytes, the piece that was last returned. Its first bytes contain the address
    /// of the piece returned before it.
    // Proof: this is only used while `mutex` is locked, like `rest`.
    private nonisolated(unsafe) static var free = unsafe [UnsafeMutableRawPointer?](repeating: nil, count: 8)
    /// The unused rest of the newest large buffer.
    private nonisolated(unsafe) static var rest = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    // Proof: this never changes, and a mutex may be used from any thread.
    private nonisolated(unsafe) static let mutex = {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        _ = unsafe pthread_mutex_init(mutex, nil)
        return unsafe mutex
    }()

    /// Lends a piece of at least `count` bytes (1 to ``largestPiece``); nil if the system is out of memory.
    static func lend(_ count: Int) -> UnsafeMutableRawPointer? {
        let kind = kind(of: count)
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        if let piece = unsafe free[kind] {
            unsafe free[kind] = piece.load(as: UnsafeMutableRawPointer?.self)
            return unsafe piece
        }
        let size = 32 << kind
        if unsafe rest.count < size {
            guard let buffer = unsafe sodium_malloc(bufferSize) else { return nil }
            unsafe rest = UnsafeMutableRawBufferPointer(start: buffer, count: bufferSize)
        }
        let piece = unsafe rest.baseAddress
        unsafe rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(size))
        return unsafe piece
    }

    /// Wipes a piece that was lent for `count` bytes, and makes it available again.
    static func takeBack(_ piece: UnsafeMutableRawPointer, _ count: Int) {
        let kind = kind(of: count)
        unsafe sodium_memzero(piece, 32 << kind)
        _ = unsafe pthread_mutex_lock(mutex)
        defer { _ = unsafe pthread_mutex_unlock(mutex) }
        unsafe piece.storeBytes(of: free[kind], as: UnsafeMutableRawPointer?.self)
        unsafe free[kind] = unsafe piece
    }

    /// The index in `free` of the smallest pieces with room for `count` bytes.
    private static func kind(of count: Int) -> Int {
        (max(count, 32) - 1).bitWidth - (max(count, 32) - 1).leadingZeroBitCount - 5
    }
}
