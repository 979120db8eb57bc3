import LatchkeyAccounts
import LatchkeyForms

/// Asks again what was asked in a saved session, of a database that holds what there was when it began.
struct Replay {
    let session: SavedSession

    /// An answer that is another one now.
    struct Difference: Equatable, Sendable {
        /// Of the log.
        let line: Int
        let then, now: String
    }

    /// The first difference; nil where all answers are the same.
    func difference() async throws(StoreError) -> Difference? {
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try await TodoStore.open(folder.path + "/todos.sqlite", of: "replay")
        try await store.fill(with: session.todos)
        let servers = TodoServers(store)
        for asked in session.asked {
            // What failed then has changed nothing, and would not fail here: the disk is another one.
            guard let answer = asked.answer, answer.json["response"]?.string != "failed" else { continue }
            let response = await servers.ask(asked.request)
            let now = ViewEvent.response(asked.number, response).json(of: "view")
            if now != answer.json {
                return Difference(line: answer.line, then: answer.json.encoded, now: now.encoded)
            }
        }
        return nil
    }
}
