import CFaultVFS
import Foundation

/// A file system layer that fails on demand; see `CFaultVFS.h`.
@safe
final class FaultVFS: @unchecked Sendable {  // a test accesses it only while the store makes no call
    let name: String
    private let vfs: OpaquePointer

    struct Fault: Sendable {
        var kinds: Int
        var code: Int32
        var effect: fault_effect
    }

    init() throws {
        name = "fault-\(UUID().uuidString)"
        guard let made = unsafe fault_vfs_make(name) else { throw CocoaError(.featureUnsupported) }
        unsafe vfs = unsafe made
    }

    deinit { unsafe fault_vfs_free(vfs) }

    /// - Parameter call: the number of the failing call of these kinds, counted from 1; 0 for none.
    func arm(_ fault: Fault, at call: Int) {
        unsafe fault_vfs_arm(vfs, Int32(fault.kinds), Int32(call), fault.code, fault.effect)
    }

    func disarm() { arm(Fault(kinds: 0, code: 0, effect: FAULT_ONCE), at: 0) }

    /// The number of calls of these kinds since the fault was armed.
    var count: Int { Int(unsafe fault_vfs_count(vfs)) }

    var hasFailed: Bool { unsafe fault_vfs_failed(vfs) != 0 }
}
