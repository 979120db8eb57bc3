import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeySQLite
import LatchkeySystem
import LatchkeyTerminal
import LatchkeyText

/// Connects all parts for the logged-in user. It is the only place that names every concrete type.
@main @MainActor
struct ChatProgram {
    let person: SignedIn

    private static let program = Program(
        summary: "Write messages to other people with an account here", version: "1.0",
        flags: [Program.Flag("bell", nil, "Ring the terminal's bell for each new message")])

    static func main() async {
        let flags = program.arguments()
        await ChatProgram(person: .atTerminal()).run(ringing: flags["bell"] != nil)
    }

    private func run(ringing rings: Bool) async {
        let database = await openDatabase()
        guard let device = TerminalDevice.open() else { Self.program.end(.usage, saying: "There is no terminal") }
        let me = Contact(id: person.account.id, name: person.account.name)
        let chats = SQLiteChats(database: database, me: me)
        let engine = ChatEngine(
            state: ChatState(me: me, newID: Self.newID, now: SystemTime.wallMilliseconds),
            sources: ChatSources(
                archive: chats, sync: chats, push: DatabaseWatch(chats: chats),
                sockets: UnixSockets(folder: person.folder + "/chat-sockets", me: me.id), session: person.session))
        let completion = ContactCompletion(me: me.id)
        await completion.listen(to: engine.events)
        let bot = ChatBot(archive: SQLiteChats(database: database, me: .bot), newID: Self.newID)
        let botListener = bot.listen(to: engine.events)
        await engine.ask(.load)
        let front = await ChatFront(engine: engine, completion: completion, rings: rings) { device.size.rows }
        let terminal = HeldTerminal(device)
        let terminalEnding = await front.run(
            on: ScreenLoop(port: terminal, environment: person.terminal, messages: person.messages),
            isPlain: person.terminal.takesLines(columns: device.size.columns))
        let end = await engine.finish(keeping: front.typed)
        terminal.release()
        botListener.cancel()
        for message in end.unsent {
            say(
                (end.isKept ? "Not sent to \(message.name), kept as a draft: " : "Not sent to \(message.name): ")
                    + message.text)
        }
        for draft in end.lost { say("Not kept as a draft to \(draft.name): " + draft.text) }
        switch end.cause {
        case .loggedOut:
            guard await person.end() else { Self.program.end(.inputOutput, saying: "The session could not be ended") }
            say("Logged out")
        case .expired:
            let hasDraft = end.lost.isEmpty && front.typed.values.contains { !$0.isEmpty }
            Self.program.endWithSession(keepingDraft: hasDraft)
        case .left, nil: break
        }
        terminalEnding.valueOrDie()
    }

    private func openDatabase() async -> SQLiteDatabase {
        let path = person.folder + "/chat.sqlite"
        do throws(StoreError) {
            return try await Self.program.waiting(for: path) { () async throws(StoreError) in
                try await SQLiteDatabase.open(path, migrations: SQLiteChats.migrations)
            }
        } catch {
            Self.program.end(.inputOutput, saying: error.sentence(about: path, in: person.messages))
        }
    }

    private func say(_ line: String) { print(TerminalEscaper.visible(line)) }

    /// 128 random bits.
    nonisolated private static let newID: @Sendable () -> Message.ID = {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
    }
}
