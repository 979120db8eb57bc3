import Glibc
import LatchkeyAccounts
import LatchkeySystem

extension AuditOrigin {
    /// This process, on this machine.
    static var system: AuditOrigin {
        let bytes = (try? GivenFiles.bytes("/proc/sys/kernel/random/boot_id", limit: 63)) ?? []
        let id = String(decoding: bytes.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
        return AuditOrigin(
            processUser: geteuid(), bootID: id, version: CommandLineTool.version,
            sinceBoot: { SystemTime.sinceBootMilliseconds() })
    }
}
