import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal
import LatchkeyText

@main
struct TodoProgram {
    private static let program = Program(
        summary: "Keep a list of todos", version: "1.0",
        flags: [
            Program.Flag("log", "FILE", "Write every event to a new FILE, a line of JSON each"),
            Program.Flag("replay", "FILE", "Repeat the requests of a log, and compare the responses"),
        ])

    static func main() async {
        let flags = program.arguments()
        switch (flags["log"], flags["replay"]) {
        case (let log, nil): await show(log)
        case (nil, let path?): await replay(path)
        case (.some, .some): program.end(.usage, saying: "--log and --replay exclude each other")
        }
    }

    private static func show(_ path: String?) async {
        let person = await SignedIn.atTerminal(speaking: [.english: TodoFailure.sentences])
        guard let device = TerminalDevice.open() else { program.end(.usage, saying: "There is no terminal") }
        let servers = await servers(for: person)
        let log = path.map { eventLog(of: servers, at: $0) }
        let usage = Locked(UsageCount())
        let counter = servers.view.listenToTheEnd { event in usage.withLock { $0.take(event) } }

        let terminal = HeldTerminal(device)
        let front = TodoFront(
            title: "Todos of \(person.account.name)", servers: servers, port: terminal, environment: person.terminal,
            messages: person.messages)
        let ending = await front.run()
        terminal.release()

        // After this request has its response, the observers have received all events.
        _ = await servers.ask(.close)
        await counter.wait()
        if let lost = await front.lostDraft, !lost.text.isEmpty {
            print(lost.why + "\nNot kept as a draft: " + TerminalEscaper.visible(lost.text))
        }
        if let log {
            guard await log.end() else {
                program.end(.inputOutput, saying: "The log is cut short, because it could not be written")
            }
            print("Logged: \(usage.withLock { $0.summary })")
        }
        switch ending.valueOrDie() {
        case nil: break
        case .logOut: if await !person.end() { program.end(.inputOutput, saying: "The session could not be ended") }
        case .expired: program.endWithSession(keepingDraft: await front.hasKeptDraft)
        }
    }

    private static func servers(for person: SignedIn) async -> TodoServers {
        let path = person.folder + "/todos.sqlite"
        do throws(StoreError) {
            return try await program.waiting(for: path) { () async throws(StoreError) in
                TodoServers(try await TodoStore.open(path, of: person.account.id, in: person.session))
            }
        } catch {
            program.end(.inputOutput, saying: error.sentence(about: path, in: person.messages))
        }
    }

    private static func eventLog(of servers: TodoServers, at path: String) -> EventLog {
        do throws(SystemError) {
            return try EventLog(at: path, model: servers.model, view: servers.view)
        } catch {
            program.end(.cannotCreate, saying: "\(path) already exists or cannot be created")
        }
    }

    /// Prints whether the responses are the same. Does not change the user's todos.
    private static func replay(_ path: String) async {
        let session = savedSession(at: path)
        do throws(StoreError) {
            let replay = Replay(session: session)
            let difference = try await replay.difference { print("  " + TerminalEscaper.visible($0)) }
            guard let difference else { return print("\(session.asked.count) requests, the same responses") }
            let cause = session.interference.map { line in
                "Another window changed todos during this session (line \(line)); a replay does not repeat that."
            }
            let what = [
                "\(path):\(difference.line): another response", "  then: \(difference.then)",
                "  now:  \(difference.now)",
            ]
            program.end(.no, saying: (what + [cause].compactMap(\.self)).joined(separator: "\n"))
        } catch {
            program.end(.inputOutput, saying: error.sentence(about: "the replay", in: .english))
        }
    }

    private static func savedSession(at path: String) -> SavedSession {
        guard let log = try? GivenFile.contents(of: path, limit: 1 << 26) else {
            program.end(.noInput, saying: "\(path) cannot be read")
        }
        do throws(SavedSession.Refusal) {
            return try SavedSession(log)
        } catch {
            program.end(.data, saying: "\(path):\(error.line): \(error.reason.rawValue)")
        }
    }
}

extension GivenFile {
    /// The contents of a file.
    fileprivate static func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
        let file = try GivenFile(at: path)
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while bytes.count <= limit {
            var room = chunk.mutableSpan
            let count = try file.read(into: &room)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
        throw .tooLarge(limit: limit)
    }
}
