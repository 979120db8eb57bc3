import CArgonKernel
import LatchkeySystem

/// The memory of one Argon2 hash at a time. It uses huge pages, is excluded from core dumps and is wiped after each
/// hash.
///
/// It stays mapped for the next hash, which avoids page faults. Meanwhile, the kernel can reclaim the pages if memory
/// is short (`MADV_FREE`), so that idle memory needs no share of a budget.
@safe
final class HashArena {
    private var start: UnsafeMutablePointer<UInt8>?
    private var byteCount = 0

    init() {}

    deinit { unmap() }

    /// The KiB that a hash allocates: `kibibytes`, rounded up to whole pages.
    static func kibibytes(for kibibytes: Int) -> Int {
        guard kibibytes >= 0, kibibytes <= Int(UInt32.max) else { return kibibytes }
        return argon_pages_size(kibibytes << 10) >> 10
    }

    /// Lends `count` bytes to `body` and wipes them afterwards; nil if there is not enough memory.
    func withBytes<Result>(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Result) -> Result? {
        if byteCount < count {
            unmap()
            var mapped: UnsafeMutablePointer<UInt8>?
            guard unsafe argon_pages_map(&mapped, count) == 0 else { return nil }
            unsafe start = mapped
            byteCount = count
        }
        guard let start = unsafe start else { return nil }
        defer { unsafe argon_pages_rest(start, count) }
        return unsafe body(start)
    }

    private func unmap() {
        if let start = unsafe start { unsafe argon_pages_unmap(start, byteCount) }
        unsafe start = nil
        byteCount = 0
    }
}

/// The arenas of a hasher, as many as the maximum number of hashes that ran in parallel.
final class HashArenas: Sendable {
    // Proof: an arena is either in the list, protected by the lock, or used only by the caller that removed it from the
    // list.
    private struct Idle: @unchecked Sendable {
        let arena: HashArena
    }

    private let idle = Locked<[Idle]>([])

    init() {}

    /// Lends the most recently used arena to `body`.
    func withArena<Result, Failure: Error>(_ body: (HashArena) throws(Failure) -> Result) throws(Failure) -> Result {
        let taken = idle.withLock { $0.popLast() } ?? Idle(arena: HashArena())
        defer { idle.withLock { $0.append(taken) } }
        return try body(taken.arena)
    }
}
