import Glibc
import LatchkeySystem

/// A private folder, in memory if possible, removed when the process ends.
struct FuzzFolder: Sendable {
    let path: String

    /// Nil if no folder can be created.
    static let shared: FuzzFolder? = {
        let parent = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = Array("\(parent)/latchkey-fuzz-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { return nil }
        atexit { FuzzFolder.shared?.remove() }
        return FuzzFolder(path: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }()

    /// Replaces a file. Returns false on failure.
    func write(_ bytes: [UInt8], to name: String) -> Bool {
        let descriptor = unsafe open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
    }

    /// Nil if it is unreadable.
    func read(_ name: String) -> [UInt8]? {
        let descriptor = unsafe open(path + "/" + name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += buffer[..<count]
        }
    }

    func remove(_ name: String) { _ = unsafe unlink(path + "/" + name) }

    private func remove() {
        for name in (try? FolderNames.all(in: path)) ?? [] { remove(String(decoding: name, as: UTF8.self)) }
        _ = unsafe rmdir(path)
    }
}
