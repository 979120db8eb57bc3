import Glibc
import LatchkeyAccounts
import LatchkeySystem

/// The wall clock of the machine. A time outside of ``Timestamp/accepted`` becomes the nearest one in it.
struct SystemClock: Clock {
    func now() -> Timestamp {
        let now = Timestamp(milliseconds: SystemTime.wallMilliseconds())
        return min(max(now, Timestamp.accepted.lowerBound), Timestamp.accepted.upperBound)
    }
}

extension ResponseDelay {
    /// Uses the machine's monotonic clock.
    static let system = ResponseDelay(
        now: { .nanoseconds(SystemTime.monotonicNanoseconds()) },
        sleep: { try? await Task.sleep(for: $0, tolerance: .zero) })
}

extension AuditOrigin {
    /// The origin of this process on this machine.
    ///
    /// - Parameter source: the origin of the request, as specified by the caller.
    static func system(source: RequestSource? = nil) -> AuditOrigin {
        let bytes = (try? InputFiles.bytes("/proc/sys/kernel/random/boot_id", limit: 63)) ?? []
        let id = String(decoding: bytes.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
        return AuditOrigin(
            processUser: geteuid(), bootID: id, version: CommandLineTool.version,
            source: source?.text ?? "", device: source == nil ? terminal : "",
            sinceBoot: { SystemTime.sinceBootMilliseconds() })
    }

    /// The name of the terminal on standard input; empty if there is none or its name is unusual.
    private static var terminal: String {
        let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> [UInt8] in
            guard unsafe ttyname_r(STDIN_FILENO, buffer.baseAddress!, buffer.count) == 0 else { return [] }
            return unsafe buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        }
        guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "" }
        return String(decoding: name, as: UTF8.self)
    }
}
