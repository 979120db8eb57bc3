import CHogweed
import Glibc

/// Makes GMP wipe each block of memory before it frees it, because GMP and nettle copy private keys into such blocks.
///
/// The functions call the ones that were installed before. A block that GMP allocated earlier is therefore freed by the
/// allocator that it came from, and other code in the process can use GMP at any time, also during the installation. Each
/// of the pointers that GMP then loads is either the old function or the new one. GnuTLS, which libmicrohttpd loads, is such
/// code.
enum GMPMemory {
    /// The functions of GMP, or of other code, that were installed before.
    @unsafe
    private struct Functions {
        var allocate: (@convention(c) (Int) -> UnsafeMutableRawPointer?)?
        var reallocate: (@convention(c) (UnsafeMutableRawPointer?, Int, Int) -> UnsafeMutableRawPointer?)?
        var release: (@convention(c) (UnsafeMutableRawPointer?, Int) -> Void)?
    }

    private static let previous: Functions = {
        var functions = unsafe Functions()
        unsafe __gmp_get_memory_functions(&functions.allocate, &functions.reallocate, &functions.release)
        return unsafe functions
    }()

    private static let isInstalled: Bool = {
        // Loads them first, because the functions below must not find themselves there.
        _ = unsafe previous
        unsafe __gmp_set_memory_functions(allocate, reallocate, release)
        return true
    }()

    /// Installs the wiping functions. Call this before each use of GMP or of nettle's public keys; only the first call
    /// has an effect.
    static func wipe() { _ = isInstalled }

    private static let allocate: @convention(c) (Int) -> UnsafeMutableRawPointer? = { size in
        unsafe GMPMemory.previous.allocate?(size)
    }

    /// Moves the block, because `realloc` would leave a copy behind.
    private static let reallocate: @convention(c) (UnsafeMutableRawPointer?, Int, Int) -> UnsafeMutableRawPointer? = {
        unsafe GMPMemory.moved($0, from: $1, to: $2)
    }

    private static let release: @convention(c) (UnsafeMutableRawPointer?, Int) -> Void = { block, size in
        if let block = unsafe block { unsafe explicit_bzero(block, size) }
        unsafe GMPMemory.previous.release?(block, size)
    }

    private static func moved(
        _ block: UnsafeMutableRawPointer?, from size: Int, to newSize: Int
    ) -> UnsafeMutableRawPointer? {
        let new = unsafe previous.allocate?(newSize)
        if let block = unsafe block, let new = unsafe new {
            unsafe new.copyMemory(from: block, byteCount: min(size, newSize))
            unsafe release(block, size)
        }
        return unsafe new
    }
}
