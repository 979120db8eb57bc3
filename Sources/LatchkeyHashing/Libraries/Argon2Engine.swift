import CArgonKernel

/// An implementation of Argon2id. All of them compute the same tags.
public enum Argon2Engine: String, CaseIterable, Sendable {
    /// libargon2 as the system has it.
    case reference
    /// The kernel with the vectors that every processor of the architecture has.
    case baseline
    /// The kernel with AVX2.
    case avx2
    /// The kernel with AVX-512.
    case avx512

    /// The fastest engine that this processor has.
    public static var fastest: Argon2Engine { allCases.last { $0.isAvailable } ?? .reference }

    /// Whether this processor has the engine.
    public var isAvailable: Bool { level.map { argon_kernel_has_level($0) } ?? true }

    /// The kernel's level; nil for libargon2.
    var level: Int32? {
        switch self {
        case .reference: nil
        case .baseline: Int32(ARGON_KERNEL_BASELINE.rawValue)
        case .avx2: Int32(ARGON_KERNEL_AVX2.rawValue)
        case .avx512: Int32(ARGON_KERNEL_AVX512.rawValue)
        }
    }
}
