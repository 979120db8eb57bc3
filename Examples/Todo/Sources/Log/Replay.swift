import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// Repeats the requests of a saved session on a database with the initial todos.
struct Replay {
    let session: SavedSession

    /// A response that differs from the logged one.
    struct Difference: Equatable, Sendable {
        /// The line number in the log.
        let line: Int
        let then, now: String
    }

    /// Repeats the requests up to the first response that differs.
    ///
    /// - Parameter say: receives a line for each request, with the request and its new response.
    /// - Returns: nil if all responses are equal.
    func difference(
        saying say: @Sendable (String) -> Void = { _ in }
    ) async throws(StoreError) -> Difference? {
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try await TodoStore.open(folder.path + "/todos.sqlite", of: "replay")
        try await store.fill(with: session.todos)
        let servers = TodoServers(store)
        for asked in session.asked {
            guard let answer = asked.answer else {
                say("\(asked.request.words): not repeated, because the log has no response")
                continue
            }
            // A failed request changed nothing, and would succeed here.
            if let failure = answer.json["failure"]?.string {
                say("\(asked.request.words): not repeated, because it failed then (\(failure))")
                continue
            }
            let response = await servers.ask(asked.request)
            say("\(asked.request.words): \(response.words)")
            let now = ViewEvent.response(asked.number, response).json(of: "view")
            if now != answer.json {
                return Difference(line: answer.line, then: answer.json.encoded, now: now.encoded)
            }
        }
        return nil
    }
}

/// A temporary folder, deleted with its content on deinit.
private final class ScratchFolder: Sendable {
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
