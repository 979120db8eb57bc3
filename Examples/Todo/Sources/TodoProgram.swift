import Glibc
import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal

@main
struct TodoProgram {
    static func main() async {
        switch TodoArguments(Array(CommandLine.arguments.dropFirst())) {
        case .show(let log): await show(log)
        case .replay(let path): await replay(path)
        case .help: print(TodoArguments.usage)
        case nil: ExitStatus.usage.end("what is that?\n" + TodoArguments.usage)
        }
    }

    private static func show(_ path: String?) async {
        let person = await SignedIn.atTerminal()
        guard let device = TerminalDevice.open() else { ExitStatus.usage.end("there is no terminal") }
        let servers = await servers(for: person)
        let log = path.map { eventLog(of: servers, at: $0) }
        let usage = Locked(UsageCount())
        let counter = servers.view.listenToTheEnd { event in usage.withLock { $0.take(event) } }

        let front = TodoFront(
            title: "Todos of \(person.account.name)", servers: servers, port: device, environment: person.terminal,
            messages: person.messages.adding(TodoFailure.sentences),
            isSignedIn: { await person.isLive() })
        let ending = await front.run()

        // When this has its response, observers have received all events.
        _ = await servers.ask(.close)
        await counter.wait()
        if let summary = usage.withLock({ $0.summary }) { print("This time: \(summary)") }
        if let log, await !log.end() { ExitStatus.inputOutput.end("the log is cut short: it could not be written") }
        switch ending.valueOrDie() {
        case nil: break
        case .logOut: if await !person.end() { ExitStatus.inputOutput.end("the session could not be ended") }
        case .expired: ExitStatus.notAllowed.end("the session has ended")
        }
    }

    private static func servers(for person: SignedIn) async -> TodoServers {
        let path = person.folder + "/todos.sqlite"
        do throws(StoreError) {
            return TodoServers(try await TodoStore.open(path, of: person.account.id))
        } catch {
            ExitStatus.inputOutput.end(error.sentence(about: path, in: person.messages))
        }
    }

    private static func eventLog(of servers: TodoServers, at path: String) -> EventLog {
        do throws(SystemError) {
            return try EventLog(at: path, model: servers.model, view: servers.view)
        } catch {
            ExitStatus.cannotCreate.end("\(path) is there already, or cannot be made")
        }
    }

    /// Reports whether the responses are the same. Does not change the user's todos.
    private static func replay(_ path: String) async {
        let session = savedSession(at: path)
        do throws(StoreError) {
            guard let difference = try await Replay(session: session).difference() else {
                return print("\(session.asked.count) requests, the same answers")
            }
            ExitStatus.different.end(
                "\(path):\(difference.line): another answer\n  then: \(difference.then)\n  now:  \(difference.now)")
        } catch {
            ExitStatus.inputOutput.end(error.sentence(about: "the replay", in: .english))
        }
    }

    private static func savedSession(at path: String) -> SavedSession {
        guard let log = try? GivenFile.contents(of: path, limit: 1 << 26) else {
            ExitStatus.noInput.end("\(path) cannot be read")
        }
        do throws(SavedSession.Refusal) {
            return try SavedSession(log)
        } catch {
            ExitStatus.data.end("\(path):\(error.line): \(error.reason.rawValue)")
        }
    }
}

extension GivenFile {
    /// The whole content of a file.
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
