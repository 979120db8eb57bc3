import Glibc
import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeySQLite
import LatchkeySystem
import LatchkeyTerminal
import LatchkeyText

/// Connects all parts for the signed-in user. The only place that names every concrete type.
@main @MainActor
struct ChatProgram {
    let person: SignedIn

    static func main() async { await ChatProgram(person: .atTerminal()).run() }

    private func run() async {
        let database = await openDatabase()
        guard let device = TerminalDevice.open() else { return say("There is no terminal to chat in.") }
        let me = Contact(id: person.account.id, name: person.account.name)
        let chats = SQLiteChats(database: database, me: me)
        let engine = ChatEngine(
            state: ChatState(me: me, newID: Self.newID, now: SystemTime.wallMilliseconds),
            sources: ChatSources(
                archive: chats, sync: chats, push: DatabaseWatch(chats: chats),
                sockets: UnixSockets(folder: person.folder + "/chat-sockets", me: me.id), isSignedIn: person.isLive))
        let completion = ContactCompletion(me: me.id)
        completion.listen(to: engine.events)
        let bot = ChatBot(archive: SQLiteChats(database: database, me: .bot), newID: Self.newID)
        let botListener = bot.listen(to: engine.events)
        engine.ask(.load)
        let terminalEnding = await ChatFront(engine: engine, completion: completion).run(
            on: ScreenLoop(port: device, environment: person.terminal, messages: person.messages))
        let (ending, unsent) = await engine.finish()
        botListener.cancel()
        for text in unsent { say("Not sent: " + text.text) }
        switch ending {
        case .loggedOut: say(await person.end() ? "Logged out" : "The session could not be ended.")
        case .expired: say("The session has ended.")
        case .left, nil: break
        }
        terminalEnding.valueOrDie()
    }

    private func openDatabase() async -> SQLiteDatabase {
        let path = person.folder + "/chat.sqlite"
        do throws(StoreError) {
            return try await SQLiteDatabase.open(path, migrations: SQLiteChats.migrations)
        } catch {
            say(error.sentence(about: path, in: person.messages))
            exit(EXIT_FAILURE)
        }
    }

    private func say(_ line: String) { print(TerminalEscaper.visible(line)) }

    /// 128 random bits.
    nonisolated private static let newID: @Sendable () -> Message.ID = {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
    }
}
