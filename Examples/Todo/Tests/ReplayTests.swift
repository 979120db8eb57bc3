import Foundation
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTesting
import Testing

@testable import todo

/// Logs of sessions, and their replays.
@Suite(.timeLimit(.minutes(60)))
struct ReplayTests {
    /// The log of `requests` to a database with one todo.
    private func log(of requests: ViewRequest...) async throws -> [String] {
        let stage = try await TodoStage()
        try await stage.store.fill(with: [
            Todo(id: 1, draft: TodoDraft(title: "Old")), Todo(id: 2, draft: TodoDraft(title: "Gone"), isDeleted: true),
        ])
        let servers = stage.servers
        let log = try EventLog(at: stage.folder.path(of: "log"), model: servers.model, view: servers.view)
        for request in requests + [.close] { _ = await stage.ask(request) }
        #expect(await log.end())
        #expect(stage.folder.mode(of: "log") == 0o600)
        let text = String(decoding: try stage.folder.read("log"), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func session() async throws -> [String] {
        try await log(
            of: .list(ListQuery()),
            .new(TodoDraft(title: "Buy \"milk\"", note: "é", due: CalendarDate("2026-01-31")).texts),
            .new(TodoDraft(title: "Old").texts), .detail(3),
            .update(
                3, TodoDraft(title: "Buy oats", priority: .high).texts,
                over: TodoDraft(title: "Buy \"milk\"", note: "é", due: CalendarDate("2026-01-31")).texts),
            .mark(1, isDone: true), .mark(9, isDone: true), .delete(3))
    }

    private func read(_ lines: [String]) throws(SavedSession.Refusal) -> SavedSession {
        try SavedSession(Array(lines.joined(separator: "\n").utf8))
    }

    @Test func `every event is logged, and a replay gives the same responses`() async throws {
        let lines = try await session()
        let saved = try read(lines)
        #expect(saved.todos.map(\.id) == [1, 2] && saved.asked.count == 9)
        #expect(saved.asked.allSatisfy { $0.answer != nil })
        #expect(lines.contains(#"{"stream":"view","number":6,"request":"mark","id":1,"done":true}"#))
        #expect(lines.contains { $0.hasPrefix(#"{"stream":"model","number":1,"response":"todos","todos":[{"id":1,"#) })
        #expect(try await Replay(session: saved).difference() == nil)
    }

    @Test func `a replay prints each request and its response`() async throws {
        let said = Locked([String]())
        _ = try await Replay(session: read(session())).difference { line in said.withLock { $0.append(line) } }
        #expect(
            said.withLock { $0 } == [
                "list all, order due: 1 open, 0 done", "new \"Buy \"milk\"\": 2 open, 0 done",
                "new \"Old\": refused, title_taken", "show 3: Buy \"milk\"", "change 3 to \"Buy oats\": 2 open, 0 done",
                "mark 1 as done: 1 open, 1 done", "mark 9 as done: not repeated, because it failed then (gone)",
                "delete 3: 0 open, 1 done", "close: closed",
            ])
    }

    @Test func `the first line that another window caused is found`() async throws {
        #expect(try await read(log(of: .list(ListQuery()), .mark(1, isDone: true))).interference == nil)
        let lines = try await log(of: .list(ListQuery()), .refresh, .refresh)
        let place = try #require(lines.firstIndex { $0.contains("refresh") })
        #expect(try read(lines).interference == place + 1)
    }

    @Test func `a log without a first list or an end can be replayed`() async throws {
        let lines = [
            #"{"stream":"view","number":1,"request":"list","filter":"all","order":"due","search":""}"#,
            #"{"stream":"view","number":1,"response":"list","rows":[],"summary":"0 open, 0 done","inserted":[],"removed":[],"changed":[]}"#,
            #"{"stream":"view","number":2,"request":"mark","id":1,"done":true}"#, "",
        ]
        let saved = try read(lines)
        #expect(
            saved.asked.map(\.request) == [.list(ListQuery()), .mark(1, isDone: true)] && saved.asked[1].answer == nil)
        #expect(try await Replay(session: saved).difference() == nil)
    }

    @Test func `the first response that differs is reported with its line`() async throws {
        var lines = try await session()
        let place = try #require(lines.firstIndex { $0.contains(#""response":"list""#) && $0.contains("oats") })
        lines[place].replace("oats", with: "milk")
        let difference = try #require(try await Replay(session: read(lines)).difference())
        #expect(difference.line == place + 1)
        #expect(difference.then == lines[place] && difference.now.contains("oats"))
    }

    private static let refused: [(line: String, reason: SavedSession.Refusal.Reason)] = [
        ("", .notJSON), ("{", .notJSON), (#"{"stream":"view","stream":"view"}"#, .notJSON), ("{}", .unknown),
        (#"{"stream":"view","number":9,"request":"dance"}"#, .unknown),
        (#"{"stream":"view","number":9,"request":"mark","id":1}"#, .unknown),
        (#"{"stream":"view","number":9,"request":"new","title":"a","note":"","due":""}"#, .unknown),
        (#"{"stream":"view","number":9,"request":"list","filter":"none","order":"due","search":""}"#, .unknown),
        (#"{"stream":"view","number":9,"request":"move","id":1,"before":"2"}"#, .unknown),
        (#"{"stream":"view","number":9,"response":"list"}"#, .unknown),
        (#"{"stream":"view","number":1,"response":"dance"}"#, .unknown),
        (#"{"stream":"view","number":1,"request":"list","response":"list"}"#, .unknown),
        (#"{"stream":"model","number":9,"request":"dance"}"#, .unknown),
        (#"{"stream":"model","number":9,"response":"todos","todos":[{"id":1}]}"#, .unknown),
        (#"{"stream":"other","number":9,"request":"list"}"#, .unknown),
    ]

    @Test(arguments: refused)
    func `an invalid line is refused with its number`(line: String, reason: SavedSession.Refusal.Reason) {
        let lines = [#"{"stream":"view","number":1,"request":"refresh"}"#, line, ""]
        #expect(throws: SavedSession.Refusal(line: 2, reason: reason)) { try read(lines) }
    }

    @Test func `an incomplete line is refused, wherever it ends`() async throws {
        let lines = try await log(of: .list(ListQuery()))
        let bytes = Array(lines.joined(separator: "\n").utf8)
        for count in bytes.indices where count > 0 && bytes[count - 1] != UInt8(ascii: "\n") {
            let complete = bytes[..<count].count { $0 == UInt8(ascii: "\n") }
            #expect(throws: SavedSession.Refusal(line: complete + 1, reason: .cutShort)) {
                try SavedSession(Array(bytes[..<count]))
            }
        }
    }

    @Test func `every event can be read back`() {
        let draft = TodoDraft(title: "a")
        let requests: [ModelRequest] = [
            .all, .one(1), .validate(draft, replacing: 1), .add(draft), .change(1, draft, over: draft),
            .mark(1, isDone: true), .move(1, before: 2), .delete(1), .restore(1), .close,
        ]
        #expect(Set(requests.map(\.logged.name)) == ModelRequest.names)
        let answers: [ModelResponse] = [
            .todos([]), .todo(Todo(id: 1, draft: draft)), .verdict([]), .failed(.full), .closed,
        ]
        #expect(Set(answers.map(\.logged.name)) == ModelResponse.names)
        let list = TodoList(of: [])
        let shown: [ViewResponse] = [
            .list(list, RowChanges(from: list.rows, to: [])), .detail(TodoDetail(Todo(id: 1, draft: draft))),
            .refused([]), .failed(.full), .closed,
        ]
        #expect(Set(shown.map(\.logged.name)) == ViewResponse.names)
        for request: ViewRequest in [
            .list(ListQuery(filter: .done, order: .own, search: "é")), .refresh, .detail(1), .new(draft.texts),
            .update(1, draft.texts, over: draft.texts), .mark(1, isDone: true), .move(1, before: 2),
            .move(1, before: nil), .delete(1), .restore(1), .close,
        ] {
            #expect(ViewRequest(json: ViewEvent.request(1, request).json(of: "view")) == request)
        }
    }

    @Test func `a log never replaces a file, and a failed write is reported`() async throws {
        let stage = try await TodoStage()
        let path = try stage.folder.write("mine".utf8, to: "log")
        #expect(throws: (any Error).self) { try LineFile(at: path) }
        #expect(try stage.folder.read("log") == Data("mine".utf8))
        let full = try LineFile(taking: unsafe open("/dev/full", O_WRONLY))
        #expect(throws: (any Error).self) { try full.append("{}") }
        #expect(!full.isWhole)
    }

    @Test func `requests are counted by kind`() async throws {
        let stage = try await TodoStage()
        let usage = Locked(UsageCount())
        let counter = stage.servers.view.listenToTheEnd { event in usage.withLock { $0.take(event) } }
        for request: ViewRequest in [
            .refresh, .new(TodoDraft(title: "a").texts), .new(TodoDraft(title: "a").texts), .mark(1, isDone: true),
            .mark(9, isDone: true), .close,
        ] {
            _ = await stage.ask(request)
        }
        await counter.wait()
        #expect(usage.withLock { $0.summary } == "1 close, 1 failed, 2 mark, 2 new, 1 refresh, 1 refused")
    }
}
