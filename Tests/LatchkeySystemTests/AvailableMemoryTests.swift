import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AvailableMemoryTests {
    private static func bytes(
        _ files: [String: String], physical: Int = 8 << 30, addressSpace: Int? = nil
    ) -> Int {
        AvailableMemory(physical: physical, addressSpace: addressSpace) { files[$0] }.byteCount
    }

    /// S-26.
    @Test func `without limits, the machine's whole memory is available`() {
        #expect(Self.bytes([:]) == 8 << 30)
        #expect(Self.bytes(["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "max\n"]) == 8 << 30)
    }

    /// S-26.
    @Test func `the limits of a control group and its parents apply`() {
        let files = [
            "/proc/self/cgroup": "0::/system.slice/latchkey.service\n",
            "/sys/fs/cgroup/system.slice/latchkey.service/memory.max": "max\n",
            "/sys/fs/cgroup/system.slice/memory.max": "536870912\n",
        ]
        #expect(Self.bytes(files) == 512 << 20)
        #expect(Self.bytes(files, physical: 256 << 20) == 256 << 20)
    }

    /// S-26.
    @Test func `in a container, the limit of the root group applies`() {
        let files = ["/proc/self/cgroup": "0::/docker/abc\n", "/sys/fs/cgroup/memory.max": "268435456\n"]
        #expect(Self.bytes(files) == 256 << 20)
    }

    /// S-26.
    @Test func `a limit of cgroup version 1 applies`() {
        let files = [
            "/proc/self/cgroup": "12:pids:/a\n7:cpu,memory:/a/b\n0::/\n",
            "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "9223372036854771712\n",
            "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1073741824\n",
        ]
        #expect(Self.bytes(files) == 1 << 30)
    }

    /// S-26.
    @Test func `memory that is already mapped is subtracted from the limit of the address space`() {
        let pages = 16_384  // 64 MiB
        #expect(
            Self.bytes(["/proc/self/statm": "\(pages) 1 2 3\n"], addressSpace: 256 << 20) == 192 << 20)
        #expect(Self.bytes(["/proc/self/statm": "\(pages) 1 2 3\n"], addressSpace: 1 << 20) == 0)
    }

    @Test func `the available memory of this machine is positive`() { #expect(AvailableMemory.current().byteCount > 0) }
}
