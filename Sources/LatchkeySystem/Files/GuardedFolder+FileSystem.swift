import CLinux
import Glibc

extension GuardedFolder {
    /// Whether the folder lies on another machine, where locks may not hold and a write may be lost.
    ///
    /// FUSE (0x65735546) and 9P (0x01021997) do not say whether they do, and are taken for local.
    public var isOnNetwork: Bool {
        let networked: Set<UInt32> = [
            0x6969,  // NFS
            0x517B, 0xFF53_4D42, 0xFE53_4D42,  // SMB, CIFS, SMB 2
            0x00C3_6400,  // Ceph
            0x5346_414F, 0x6B41_4653,  // AFS, by OpenAFS and by Linux
            0x7375_7245,  // Coda
            0x564C,  // NCP
        ]
        return networked.contains(UInt32(truncatingIfNeeded: latchkey_filesystem_type(descriptor.number)))
    }

    /// How many bytes the file system has left for us; nil where it does not say.
    public var availableBytes: Int64? {
        var answer = statvfs()
        guard unsafe fstatvfs(descriptor.number, &answer) == 0 else { return nil }
        return Int64(
            clamping: UInt64(answer.f_bavail).multipliedReportingOverflow(by: UInt64(answer.f_frsize)).partialValue)
    }
}
