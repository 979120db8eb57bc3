import Glibc
import LatchkeyAccounts
import LatchkeySystem

extension AuditOrigin {
    /// This process, on this machine.
    ///
    /// - Parameter source: where the caller says that the request came from.
    static func system(source: RequestSource? = nil) -> AuditOrigin {
        let bytes = (try? InputFiles.bytes("/proc/sys/kernel/random/boot_id", limit: 63)) ?? []
        let id = String(decoding: bytes.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
        return AuditOrigin(
            processUser: geteuid(), bootID: id, version: CommandLineTool.version,
            source: source?.text ?? "", terminal: terminal, sinceBoot: { SystemTime.sinceBootMilliseconds() })
    }

    /// What standard input is called, where that is a terminal with a plain name.
    private static var terminal: String {
        let name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> [UInt8] in
            guard unsafe ttyname_r(STDIN_FILENO, buffer.baseAddress!, buffer.count) == 0 else { return [] }
            return unsafe buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        }
        guard name.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "" }
        return String(decoding: name, as: UTF8.self)
    }
}
