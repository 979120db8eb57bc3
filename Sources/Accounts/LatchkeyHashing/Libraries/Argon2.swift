import CArgon2
import CArgonKernel
package import LatchkeyAccounts
package import LatchkeySecrets
import LatchkeySystem

/// Computes Argon2, version 1.3 (RFC 9106). Argon2id uses an ``Argon2Engine``, and the other variants use libargon2.
package struct Argon2: Sendable {
    /// The variant, which determines the order of memory accesses. New hashes use `id`; imported hashes may use the
    /// others.
    package enum Variant: String, Sendable, CaseIterable {
        case id = "argon2id"
        case i = "argon2i"
        case d = "argon2d"
    }

    /// The result of an engine's self-test.
    package enum Verdict: Sendable {
        /// The engine computes the same tag as libargon2.
        case right
        /// The engine computes a different tag, or refuses the parameters.
        case wrong
        /// There was not enough memory for the self-test, which is repeated at the next use.
        case untested
    }

    /// The verdict on each engine tested in this process.
    private static let verdicts = Locked<[Argon2Engine: Verdict]>([:])

    /// The chosen engine. It is used only after it passes ``verdict(on:)``.
    package let chosen: Argon2Engine
    private let arenas = HashArenas()
    private let test: @Sendable (Argon2Engine) -> Verdict

    /// - Parameters:
    ///   - engine: an engine that is available on this processor (``Argon2Engine/isAvailable``).
    ///   - test: returns whether an engine computes correct tags; replaced in tests.
    package init(
        engine: Argon2Engine = .fastest, test: @escaping @Sendable (Argon2Engine) -> Verdict = Argon2.verdict(on:)
    ) {
        chosen = engine
        self.test = test
    }

    /// The engine that computes Argon2id: the chosen one, or libargon2 if the chosen one has not passed its test.
    ///
    /// The first use runs the test, which takes less than a millisecond.
    package var engine: Argon2Engine { test(chosen) == .right ? chosen : .reference }

    /// Whether the chosen engine failed its self-test and was replaced by libargon2.
    package var hasFailed: Bool { test(chosen) == .wrong }

    /// Whether an engine computes the same tags as libargon2. Tested once per process.
    package static func verdict(on engine: Argon2Engine) -> Verdict {
        if engine == .reference { return .right }
        return verdicts.withLock { verdicts in
            if let verdict = verdicts[engine] { return verdict }
            let verdict = verdict { () throws(HashError) in
                try knownTag(by: Argon2(engine: engine, test: { _ in .right }))
            }
            if verdict != .untested { verdicts[engine] = verdict }
            return verdict
        }
    }

    /// Compares the result of `compute` with libargon2's ``knownTag(by:)``.
    package static func verdict(on compute: () throws(HashError) -> SecretBytes) -> Verdict {
        do throws(HashError) {
            let own = try compute()
            let expected = try knownTag(by: Argon2(engine: .reference))
            let areEqual = own.withBytes { own in expected.withBytes { ConstantTime.areEqual(own, $0) } }
            return areEqual ? .right : .wrong
        } catch {
            return error == .outOfMemory ? .untested : .wrong
        }
    }

    /// A tag that depends on every kind of input, with two lanes and two passes.
    package static func knownTag(by argon2: Argon2) throws(HashError) -> SecretBytes {
        guard let parameters = Argon2Parameters(memory: 64, iterations: 2, parallelism: 2) else { throw .unsupported }
        let password = Secret(copying: Array("known answer".utf8).span)
        return try argon2.tag(
            byteCount: 80, of: password, salt: Array(0..<16), parameters: parameters, key: password,
            associatedData: [1, 2, 3])
    }

    /// Computes a tag on the calling thread, which it blocks. The memory is wiped afterwards.
    ///
    /// - Parameters:
    ///   - tagByteCount: the length of the tag, at least 4 bytes.
    ///   - salt: at least 8 bytes.
    ///   - key: the secret value K of RFC 9106, section 3.1; nil for none.
    ///   - associatedData: the associated data X of the same section; empty for none.
    /// - Throws: ``HashError/outOfMemory``, or ``HashError/unsupported`` for parameters that the engine refuses.
    package func tag(
        byteCount tagByteCount: Int, of password: Secret, salt: [UInt8], parameters: Argon2Parameters,
        variant: Variant = .id, key: Secret? = nil, associatedData: [UInt8] = []
    ) throws(HashError) -> SecretBytes {
        let engine = variant == .id ? engine : .reference
        var tag = SecretBytes(capacity: tagByteCount)
        try unsafe tag.fill { (out) throws(HashError) in
            let outcome = unsafe lend(password) { password in
                unsafe lend(key) { key in
                    unsafe salt.withUnsafeBufferPointer { salt in
                        unsafe associatedData.withUnsafeBufferPointer { associatedData in
                            let inputs = unsafe Inputs(
                                password: password, salt: salt, key: key, associatedData: associatedData)
                            return if let level = engine.level {
                                unsafe kernel(level, inputs, parameters, out)
                            } else {
                                unsafe reference(variant, inputs, parameters, out)
                            }
                        }
                    }
                }
            }
            switch outcome {
            case .done: return out.count
            case .outOfMemory: throw .outOfMemory
            case .refused: throw .unsupported
            }
        }
        return tag
    }

    private enum Outcome {
        case done, outOfMemory, refused
    }

    @unsafe
    private struct Inputs {
        let password, salt, key, associatedData: UnsafeBufferPointer<UInt8>
    }

    /// Computes Argon2id with Latchkey's kernel, in an arena that stays mapped.
    private func kernel(
        _ level: Int32, _ inputs: Inputs, _ parameters: Argon2Parameters, _ out: UnsafeMutableBufferPointer<UInt8>
    ) -> Outcome {
        let size = argon_kernel_matrix_size(parameters.memory, parameters.parallelism)
        guard size > 0 else { return .refused }
        func bytes(_ bytes: UnsafeBufferPointer<UInt8>) -> argon_kernel_bytes {
            unsafe argon_kernel_bytes(start: bytes.baseAddress, count: bytes.count)
        }
        var input = unsafe argon_kernel_input(
            password: bytes(inputs.password), salt: bytes(inputs.salt), secret: bytes(inputs.key),
            associated_data: bytes(inputs.associatedData), memory: parameters.memory, passes: parameters.iterations,
            lanes: parameters.parallelism)
        let status = arenas.withArena { arena in
            unsafe arena.withBytes(size) { matrix in
                unsafe argon_kernel_hash(level, &input, matrix, size, out.baseAddress, out.count)
            }
        }
        return switch status {
        case nil: .outOfMemory
        case ARGON_KERNEL_OK: .done
        default: .refused
        }
    }

    /// Computes any variant with libargon2, in huge pages that it wipes before it frees them
    /// (`FLAG_clear_internal_memory`, which is on by default).
    private func reference(
        _ variant: Variant, _ inputs: Inputs, _ parameters: Argon2Parameters,
        _ out: UnsafeMutableBufferPointer<UInt8>
    ) -> Outcome {
        // No flags are set, because the library must not wipe the caller's password.
        var context = unsafe argon2_context()
        unsafe context.version = ARGON2_VERSION_13.rawValue
        unsafe (context.out, context.outlen) = (out.baseAddress, UInt32(clamping: out.count))
        unsafe (context.pwd, context.pwdlen) = input(inputs.password)
        unsafe (context.salt, context.saltlen) = input(inputs.salt)
        unsafe (context.secret, context.secretlen) = input(inputs.key)
        unsafe (context.ad, context.adlen) = input(inputs.associatedData)
        unsafe context.m_cost = parameters.memory
        unsafe context.t_cost = parameters.iterations
        unsafe context.lanes = parameters.parallelism
        // One thread computes all lanes, because only the hasher's own threads are limited.
        unsafe context.threads = 1
        unsafe context.allocate_cbk = { unsafe argon_pages_map($0, $1) }
        unsafe context.free_cbk = { unsafe argon_pages_unmap($0, $1) }
        let code =
            switch variant {
            case .id: unsafe argon2id_ctx(&context)
            case .i: unsafe argon2i_ctx(&context)
            case .d: unsafe argon2d_ctx(&context)
            }
        return switch code {
        case ARGON2_OK.rawValue: .done
        case ARGON2_MEMORY_ALLOCATION_ERROR.rawValue: .outOfMemory
        default: .refused
        }
    }

    private func lend<Result>(_ secret: Secret?, to body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard let secret else { return unsafe body(UnsafeBufferPointer(start: nil, count: 0)) }
        return secret.withBytes { unsafe $0.withUnsafeBufferPointer(body) }
    }

    /// libargon2 takes mutable pointers but only reads through them. A length that does not fit into 32 bits is passed
    /// with a null pointer, which the library refuses. The password is therefore never truncated.
    private func input(_ bytes: UnsafeBufferPointer<UInt8>) -> (UnsafeMutablePointer<UInt8>?, UInt32) {
        guard let count = UInt32(exactly: bytes.count) else { return (nil, .max) }
        return unsafe (UnsafeMutablePointer(mutating: bytes.baseAddress), count)
    }
}

/// An implementation of Argon2id. All of them compute the same tags.
public enum Argon2Engine: String, CaseIterable, Sendable {
    /// The system's libargon2.
    case reference
    /// The kernel with the vector instructions that every processor of the architecture supports.
    case baseline
    /// The kernel with AVX2.
    case avx2
    /// The kernel with AVX-512.
    case avx512

    /// The fastest engine that this processor supports.
    public static var fastest: Argon2Engine { allCases.last { $0.isAvailable } ?? .reference }

    /// Whether this processor supports the engine.
    public var isAvailable: Bool { level.map { argon_kernel_has_level($0) } ?? true }

    /// The level of the kernel; nil for libargon2.
    var level: Int32? {
        switch self {
        case .reference: nil
        case .baseline: Int32(ARGON_KERNEL_BASELINE.rawValue)
        case .avx2: Int32(ARGON_KERNEL_AVX2.rawValue)
        case .avx512: Int32(ARGON_KERNEL_AVX512.rawValue)
        }
    }
}
