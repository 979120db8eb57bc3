import LatchkeyAccounts
import LatchkeySecrets
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import chat

@Suite(.timeLimit(.minutes(60)))
final class ChatFaceTests {
    private var story = ChatStory.loaded([
        Message("1", from: .cleo, at: 1, "Are you there?"), Message("2", from: .bob, at: 2, "Hello ada"),
        Message("3", from: .ada, to: .bob, at: 3, "Hello bob"),
    ])
    private var face = ChatFace()
    private let none = CompletionViewModel(typed: "", rows: [])

    private func lines(columns: Int = 60, _ completion: CompletionViewModel? = nil) -> [String] {
        face.frame(of: story.viewModel, completion ?? none, columns: columns, rows: 100).lines(isUTF8: true)
    }

    @Test func `the picture in the tutorial matches the program`() throws {
        let frame = face.frame(of: story.viewModel, none, columns: 60, rows: 100)
        try Golden.expect(frame.svg(columns: 60), at: "../../../docs/pictures/chat.svg")
    }

    @discardableResult
    private func press(
        _ actions: Action..., size: TerminalSize = TerminalSize(columns: 60, rows: 8)
    ) -> ChatFace.Step {
        var step = ChatFace.Step.stay
        for action in actions {
            step = face.handle(action, on: story.viewModel, none, size: size)
            if case .ask(let request) = step { story.take(request) }
        }
        return step
    }

    private func typed(_ text: String) -> Action { .insert(Secret(text)) }

    @Test func `the list shows each chat with its last message and unread count`() {
        #expect(face.frame(of: story.viewModel, none, columns: 60, rows: 100).windowTitle == "Chats of ada (2 unread)")
        #expect(
            lines() == [
                "Chats of ada (2 unread)", "", "❯ 1 bob (1)  00:00  You: Hello bob",
                "  2 cleo (1)  00:00  Are you there?",
                "  3 New chat", "  4 Log out", "", "Esc Quit",
            ])
        #expect(press(.key(.previous)) == .bell)
        #expect(press(.key(.next), .key(.submit)) == .ask(.open("c")))
    }

    @Test func `the focus stays on its chat when another chat moves up`() {
        press(.key(.next))
        story.take(.arrived(Changes(messages: [Message("4", from: .cleo, at: 9, "Well?")])))
        #expect(
            Array(lines().prefix(5)) == [
                "Chats of ada (3 unread)", "❯ cleo writes: Well?", "", "❯ 1 cleo (2)  00:00  Well?",
                "  2 bob (1)  00:00  You: Hello bob",
            ])
    }

    @Test func `a chat shows its messages, their delivery and the draft`() {
        story.take(.open("b"), .send("Lost?", to: "b"))
        story.take(.notSent("own1", .store(.full)))
        press(typed("More"), .key(.left))
        #expect(
            lines() == [
                "Chat with bob (1 unread)", "", "Today", "bob", "  00:00 Hello ada", "You", "  00:00 Hello bob",
                "        sent", "  00:00 Lost?", "      ✗ not sent: there is no room left on the disk", "", "❯ More",
                "",
                "F2 Send again   Up Down Read   Esc Back",
            ])
        let cursor = face.frame(of: story.viewModel, none, columns: 60, rows: 100).cursor
        #expect((cursor.line, cursor.column) == (11, 5))
    }

    @Test func `Enter sends the typed text, unless it is blank`() {
        story.take(.open("b"))
        #expect(press(typed(" "), .key(.submit)) == .bell)
        #expect(press(typed("Hi"), .key(.submit)) == .ask(.send("Hi", to: "b")))
        #expect(face.typed == ["b": ""])
        #expect(story.messages.last?.text == "Hi")
    }

    @Test func `a draft is kept while another screen is open`() {
        story.take(.open("b"))
        press(typed("Half a sen"), .key(.cancel))
        story.take(.open("c"))
        #expect(lines().contains("❯ Write a message, Enter sends it"))
        story.take(.open("b"))
        #expect(lines().contains("❯ Half a sen"))
    }

    @Test func `names are completed while they are typed`() {
        press(.key(.end))
        story.take(.findContact)
        #expect(press(typed("bo")) == .complete("bo"))
        let nobody = CompletionViewModel(typed: "zo", rows: [])
        #expect(
            lines(nobody).prefix(5) == [
                "New chat (2 unread)", "", "❯ bo", "  No name begins with \"zo\"",
                "  You can find everyone who has opened the chat",
            ])
        let offer = CompletionViewModel(typed: "bo", rows: [RowViewModel(label: "bob", request: .open("b"))])
        #expect(lines(offer) == ["New chat (2 unread)", "", "❯ bo", "❯ 1 bob", "", "Esc Back"])
        let size = TerminalSize(columns: 60, rows: 8)
        #expect(face.handle(.key(.submit), on: story.viewModel, offer, size: size) == .ask(.open("b")))
        #expect(face.search.isEmpty)
    }

    @Test func `text of other users is escaped and fits the screen`() {
        let hostile = Contact(id: "x", name: "\u{1B}]0;mine\u{7}\u{202E}" + String(repeating: "long", count: 30))
        let message = Message("9", from: hostile, at: 9, "\u{202E}evil " + String(repeating: "w", count: 90))
        story.take(.arrived(Changes(contacts: [hostile], messages: [message])))
        for open in [false, true] {
            if open { story.take(.open("x")) }
            for columns in [20, 40, 80] {
                let frame = face.frame(of: story.viewModel, none, columns: columns, rows: 100)
                #expect(frame.lines.allSatisfy { $0.columns < columns })
                #expect(
                    frame.lines(isUTF8: true).joined().unicodeScalars.allSatisfy {
                        !$0.properties.isBidiControl && $0.value >= 0x20
                    })
            }
        }
    }

    @Test func `joined emoji are one character, and pasted line breaks are kept`() {
        story.take(.open("b"))
        press(.paste(Secret("👩‍👩‍👧 one\r\n\r\n\r\n\r\ntwo\rthree")))
        #expect(
            Array(lines().suffix(8).prefix(6)) == ["❯ 👩‍👩‍👧 one", "", "", "", "  two", "  three"])
        press(.key(.deleteToStart), typed("👩‍👩‍👧"), typed("x"), .key(.left), .key(.deleteBack))
        #expect(lines().contains("❯ x"), "a family is deleted at once")
        press(.key(.deleteForward), .paste(Secret("👩‍👩‍👧 one\n\n\n\ntwo")), .key(.submit))
        let sent = lines().drop { !$0.contains("👩‍👩‍👧") }
        #expect(sent.prefix(4) == ["  00:00 👩‍👩‍👧 one", "", "        two", "        sending"])
        #expect(story.messages.last?.text == "👩‍👩‍👧 one\n\ntwo")
        press(.key(.cancel))
        #expect(lines().contains("❯ 1 bob  00:00  You: 👩‍👩‍👧 one two"))
    }

    @Test(arguments: [(80, 24), (30, 8)])
    func `every line of every message can be read on any terminal`(columns: Int, rows: Int) {
        let words = (1...30).map { number in (0..<40).map { "\(number).\($0)" } }
        story = ChatStory.loaded(
            words.enumerated().map { Message("\($0)", from: .bob, at: Int64($0), $1.joined(separator: " ")) })
        story.take(.open("b"))
        let port = ScriptedTerminal(columns: columns, rows: rows)
        var renderer = Renderer(output: port, environment: TerminalEnvironment())
        var screen = VTScreen(columns: columns, rows: rows)
        func read(_ key: Action.Key, until end: ChatFace.Step?) -> Set<Substring> {
            var seen: Set<Substring> = []
            for _ in 0..<400 {
                renderer.show(face.frame(of: story.viewModel, none, columns: columns, rows: rows), size: port.size)
                screen.feed(port.takeOutput())
                seen.formUnion(screen.text.split(whereSeparator: \.isWhitespace))
                if press(.key(key), size: port.size) == end { break }
            }
            return seen
        }
        let all = Set(words.joined().map { $0[...] })
        for (back, forth) in [(Action.Key.previous, Action.Key.next), (.pageUp, .pageDown)] {
            #expect(all.subtracting(read(back, until: .bell)) == [])
            #expect(
                screen.lines[0] == "Chat with bob" && screen.text.contains("There are later messages"), "\(screen.text)"
            )
            #expect(screen.text.contains("1.0 "), "scrolling stops when the first message is visible")
            #expect(all.subtracting(read(forth, until: nil)) == [])
            #expect(!screen.text.contains("There are later messages"))
        }
    }

    @Test func `a frame has only the messages that fit, and F2 goes back to the first one`() {
        story = ChatStory.loaded((1...30).map { Message("\($0)", from: .bob, at: Int64($0), "Number \($0).") })
        story.take(.open("b"))
        func shown() -> [String] {
            face.frame(of: story.viewModel, none, columns: 60, rows: 12).lines(isUTF8: true)
        }
        #expect(shown().contains("  00:00 Number 30.") && shown().count < 24)
        var pages = 0
        while press(.followLink(0), size: TerminalSize(columns: 60, rows: 12)) != .bell, pages < 30 { pages += 1 }
        #expect(shown().contains("  00:00 Number 1.") && pages > 2 && pages < 30)
        #expect(shown().contains { $0.hasPrefix("F2 Earlier   F3 Later") })
    }

    @Test func `messages that are all visible do not scroll`() {
        story.take(.open("b"))
        for key in [Action.Key.previous, .pageUp] {
            #expect(press(.key(key), size: TerminalSize(columns: 60, rows: 24)) == .bell)
        }
    }

    @Test func `drawing changes nothing, and a line scrolls away without a frame in between`() {
        story.take(.open("b"))
        press(.paste(Secret("one\ntwo\nthree")), .key(.submit))
        let whole = lines()
        #expect(whole.contains("        three") && lines(columns: 30) != whole && lines() == whole)
        press(.key(.previous), .key(.previous))
        #expect(!lines().contains("        three") && lines().contains("        two"))
        press(.key(.next), .key(.next))
        #expect(lines() == whole)
    }

    @Test func `keys scroll the messages up and down`() {
        story.take(.open("b"))
        // The last message has three lines, which scroll away one by one.
        let keys: [Action.Key] = [.previous, .previous, .previous, .next, .pageUp, .pageDown]
        for (key, distance) in zip(keys, [0, 0, -1, 1, -1, 1]) {
            #expect(press(.key(key), size: TerminalSize(columns: 60, rows: 7)) == .ask(.scroll(by: distance)), "\(key)")
        }
    }

    @Test func `a draft of an earlier session is shown until it is sent or deleted`() {
        let archive = Archive(messages: [Message("1", from: .bob)], drafts: ["b": "Half"])
        for ending in [Action.key(.submit), .key(.deleteToStart)] {
            story = ChatStory.loaded(from: archive)
            face = ChatFace()
            story.take(.open("b"))
            #expect(lines().contains("❯ Half") && face.typed.isEmpty)
            press(ending)
            #expect(lines().contains("❯ Write a message, Enter sends it") && face.typed == ["b": ""])
        }
    }

    @Test func `a message from another window removes the draft, except for a text that was changed here`() {
        let first = Message("1", from: .ada, to: .bob, at: 1, "Hello")
        let archive = Archive(messages: [first], drafts: ["b": "Half"])
        for isChanged in [false, true] {
            story = ChatStory.loaded(from: archive)
            face = ChatFace()
            story.take(.open("b"))
            if isChanged { press(typed("!")) }
            // The message was read, and arrives again.
            story.take(.arrived(Changes(messages: [first], read: ["1"])))
            #expect(lines().contains(isChanged ? "❯ Half!" : "❯ Half"))
            story.take(.arrived(Changes(messages: [Message("2", from: .ada, to: .bob, at: 2, "Half")])))
            #expect(lines().contains(isChanged ? "❯ Half!" : "❯ Write a message, Enter sends it"))
        }
    }

    @Test func `a line that is longer than the screen is cut before the caret`() {
        story.take(.open("b"))
        press(.paste(Secret(String(repeating: "a", count: 100) + "end")))
        #expect(lines(columns: 20).contains("❯ aaaaaaaaaaaaaend"))
        #expect(press(.paste(Secret(String(repeating: "b", count: 1000)))) == .bell, "all of it or nothing")
    }

    /// On a terminal without keys, a line arrives as an answer.
    @Test func `every action is available line by line`() {
        #expect(press(.answer(Secret("2"))) == .ask(.open("c")))
        #expect(press(.answer(Secret("2"))) == .ask(.send("2", to: "c")))
        #expect(press(.answer(Secret("F2"))) == .ask(.send("F2", to: "c")), "there is no such key here")
        #expect(press(.key(.cancel)) == .ask(.back))
        story.take(.failed(.watch, .busy))
        #expect(press(.answer(Secret("f2"))) == .ask(.load))
        for line in ["9", "0", "-1", "\(Int.min)", "F1", "F-1", "F\(Int.min)", "F\(Int.max)"] {
            #expect(press(.answer(Secret(line))) == .bell, "\(line)")
        }
        story.take(.findContact)
        #expect(press(.answer(Secret("bo"))) == .complete("bo"))
    }

    @Test func `line by line, the hints name what can be typed, and an empty line sends nothing`() {
        face = ChatFace(isPlain: true)
        #expect(lines().last == "1 to 4 Choose   Enter Show news   < Quit")
        #expect(press(.key(.submit)) == .stay)
        let archive = Archive(messages: [Message("1", from: .bob)], drafts: ["b": "Half"])
        for (key, step) in [("F2", ChatFace.Step.ask(.send("Half", to: "b"))), ("f3", .stay)] {
            story = ChatStory.loaded(from: archive)
            face = ChatFace(isPlain: true)
            story.take(.open("b"))
            #expect(
                lines(columns: 80).suffix(4) == [
                    "  Draft: Half", "❯ Write a message, Enter sends it", "",
                    "F2 Send the draft   F3 Discard the draft   Enter Show news   < Back",
                ])
            #expect(press(.key(.submit)) == .stay && face.typed.isEmpty)
            #expect(press(.answer(Secret("Hi"))) == .ask(.send("Hi", to: "b")))
            story.take(story.state.conversations.unsent.map { .sent($0) })
            #expect(face.typed == ["b": "Half"], "another message does not remove the draft")
            #expect(press(.answer(Secret(key))) == step)
            #expect(face.typed == ["b": ""] && lines().last == "Enter Show news   < Back")
        }
        story.take(.findContact)
        let offer = CompletionViewModel(typed: "bo", rows: [RowViewModel(label: "bob", request: .open("b"))])
        #expect(lines(offer).last == "1 Choose   Enter Show news   < Back")
    }
}
