import Glibc

/// A user of the operating system.
package enum SystemUser {
    /// The login name of the user with this ID; nil if the system does not know the user.
    package static func name(of id: UInt32) -> String? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        // getpwuid_r(3): names come from files or directory services, so the buffer has a fixed limit.
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard unsafe getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else { return nil }
        return unsafe String(validatingCString: entry.pw_name)
    }

    /// The ID of the group with this name; nil if the system does not know the group.
    package static func group(named name: String) -> UInt32? {
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        // getgrnam_r(3): a group may have many members, so the buffer is large.
        var buffer = [CChar](repeating: 0, count: 262_144)
        guard unsafe getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, unsafe found != nil else {
            return nil
        }
        return unsafe entry.gr_gid
    }
}
