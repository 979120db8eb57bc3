import Glibc
import LatchkeyAccounts
import LatchkeySystem

/// A temporary folder, deleted with its content on deinit.
final class ScratchFolder: Sendable {
    let path: String

    init() throws(StoreError) {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array((parent + "/todo-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw .denied(path: parent) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in (try? FolderNames.all(in: path)) ?? [] {
            _ = unsafe unlink(path + "/" + String(decoding: name, as: UTF8.self))
        }
        _ = unsafe rmdir(path)
    }
}
