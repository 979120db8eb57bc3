import CLinux
import Glibc

/// The memory that this process can use: the minimum of the machine's memory, its control group's limit and its address
/// space limit.
package struct AvailableMemory: Sendable {
    /// The amount in bytes.
    package let byteCount: Int

    /// The currently usable amount.
    package static func current() -> AvailableMemory {
        let physical = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        let limit = latchkey_address_space_limit()
        return AvailableMemory(
            physical: physical, addressSpace: limit == .max ? nil : Int(clamping: limit), contents: { contents(of: $0) }
        )
    }

    /// Computes the amount from its sources.
    ///
    /// - Parameters:
    ///   - physical: the machine's memory in bytes.
    ///   - addressSpace: the bytes that the process may map (`RLIMIT_AS`); nil for no limit.
    ///   - contents: returns the contents of a file in `/proc` or `/sys`; nil if it does not exist.
    package init(physical: Int, addressSpace: Int?, contents: (String) -> String?) {
        var least = physical
        if let addressSpace {
            // Code and the allocator's arenas already use part of the address space.
            let mapped = contents("/proc/self/statm")?.split(separator: " ").first.flatMap { Int($0) } ?? 0
            least = min(least, max(0, addressSpace - mapped * Int(sysconf(Int32(_SC_PAGESIZE)))))
        }
        for limit in Self.groupLimits(contents) { least = min(least, limit) }
        byteCount = least
    }

    /// The limits of the process's control group and its parents: `memory.max` (version 2) and `memory.limit_in_bytes`
    /// (version 1; cgroups(7)).
    private static func groupLimits(_ contents: (String) -> String?) -> [Int] {
        var limits: [Int] = []
        for line in (contents("/proc/self/cgroup") ?? "").split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let isSecond = parts[0] == "0" && parts[1].isEmpty
            guard isSecond || parts[1].split(separator: ",").contains("memory") else { continue }
            let root = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
            let file = isSecond ? "/memory.max" : "/memory.limit_in_bytes"
            var names = parts[2].split(separator: "/")
            while true {
                let path = names.map { "/" + $0 }.joined()
                if let text = contents(root + path + file), let limit = Int(text.filter { !$0.isWhitespace }) {
                    limits.append(limit)
                }
                // A container sees its control group as the root, so the path may not exist.
                if names.popLast() == nil { break }
            }
        }
        return limits
    }

    private static func contents(of path: String) -> String? {
        let descriptor = unsafe latchkey_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return String(validating: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
