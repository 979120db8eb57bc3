import LatchkeyAccounts
import Testing

@testable import chat

/// The view models and effects that follow from events.
@Suite(.timeLimit(.minutes(60)))
struct ChatStoryTests {
    // MARK: Reading

    @Test func `chats are listed newest first, with unread counts`() {
        let story = ChatStory.loaded(
            [
                Message("1", from: .bob, at: 1, "Old"), Message("2", from: .cleo, at: 2, "Read"),
                Message("3", from: .bob, at: 3, "New"), Message("4", from: .ada, to: .cleo, at: 4, "Answer"),
            ], read: ["2"])
        #expect(
            story.chats == [
                RowViewModel(label: "cleo", date: "00:00", detail: "You: Answer", request: .open("c")),
                RowViewModel(label: "bob", unread: 2, date: "00:00", detail: "New", request: .open("b")),
            ])
        #expect(story.viewModel.title == "Chats of ada (2 unread)")
        #expect(story.viewModel.notice == nil, "what was there before is no news")
    }

    @Test func `messages between other users are ignored`() {
        let story = ChatStory.loaded([Message("1", from: .bob, to: .cleo)])
        #expect(story.chats.isEmpty)
    }

    @Test func `the archive is read before new changes are requested`() {
        var story = ChatStory()
        story.take(.load)
        #expect(story.effects == [.load])
        #expect(story.viewModel.status == .busy("Reading the chats"))
        story.take(.load)
        #expect(story.effects == [], "it is being done")
        story.take(.loaded(Overview(revision: 7)))
        #expect(story.effects == [.synchronise(since: 7), .watch(since: 7)])
        #expect(story.viewModel.status == .busy("Looking for news"))
        story.take(.arrived(Changes(revision: 8)), .ended(.synchronise))
        #expect(story.viewModel.status == .idle)
        #expect(story.viewModel.actions.isEmpty)
    }

    @Test(arguments: [NetworkMessage.Step.load, .synchronise, .watch])
    func `a failure is shown, and can be retried`(step: NetworkMessage.Step) {
        var story = ChatStory.loaded()
        story.take(.failed(step, .busy))
        guard case .failed(let why) = story.viewModel.status else {
            Issue.record("\(story.viewModel.status)")
            return
        }
        #expect(why.hasSuffix("the database is in use by another program"))
        #expect(story.viewModel.actions == [ActionViewModel(label: "Try again", request: .load)])
        story.take(.load)
        #expect(story.effects == [.load])
        story.take(.loaded(Overview()), .ended(.synchronise))
        #expect(story.viewModel.status == .idle)
    }

    @Test func `a change after a failure clears the failure`() {
        var story = ChatStory.loaded()
        story.take(.failed(.watch, .busy), .ended(.watch))
        #expect(story.viewModel.status == .idle)
    }

    // MARK: Writing

    @Test func `a message is shown as sending, then as sent, then as read`() {
        var story = ChatStory.loaded()
        story.take(.open("b"), .send("Hello", to: "b"))
        let message = Message("own1", from: .ada, to: .bob, at: 100)
        #expect(story.effects == [.send(message)])
        #expect(story.messages.map(\.delivery) == ["sending"])
        story.take(.sent(message))
        #expect(story.messages.map(\.delivery) == ["sent"])
        story.take(.arrived(Changes(read: ["own1"])))
        #expect(story.messages.map(\.delivery) == ["read"])
    }

    @Test(arguments: [
        (Delivery.Failure.store(.full), "not sent: there is no room left on the disk"),
        (.store(.readOnly), "not sent: the database may not be written"),
        (.store(.busy), "not sent: the database is in use by another program"),
        (.loggedOut, "not sent: you are not logged in any more"),
    ])
    func `a failed message shows the reason and can be sent again`(why: Delivery.Failure, sentence: String) {
        var story = ChatStory.loaded()
        story.take(.open("b"), .send("Hello", to: "b"))
        story.take(.notSent("own1", why))
        #expect(
            story.messages == [
                MessageViewModel(
                    day: "Today", author: "You", time: "00:00", text: "Hello", delivery: sentence, isFailed: true)
            ])
        #expect(story.state.conversations.unsent.map(\.id) == ["own1"])
        #expect(story.viewModel.actions == [ActionViewModel(label: "Send again", request: .sendAgain("b"))])
        story.take(.sendAgain("b"))
        #expect(story.effects == [.send(Message("own1", from: .ada, to: .bob, at: 100))])
        #expect(story.messages.map(\.delivery) == ["sending"])
        #expect(story.viewModel.actions.isEmpty)
    }

    @Test func `a message that has arrived counts as sent, even after an error`() {
        var story = ChatStory.loaded()
        story.take(.open("b"), .send("Hello", to: "b"))
        story.take(.arrived(Changes(messages: [Message("own1", from: .ada, to: .bob, at: 100)])))
        story.take(.notSent("own1", .store(.busy)))
        #expect(story.messages.map(\.delivery) == ["sent"])
    }

    @Test func `an answer follows its message, even if the clock went back`() {
        var story = ChatStory.loaded([Message("1", from: .bob, at: 5000, "Question")], clock: 100)
        story.take(.open("b"), .send("Answer", to: "b"))
        #expect(story.messages.map(\.text) == ["Question", "Answer"])
    }

    @Test func `a message can be written even if another one has the latest possible time`() {
        var story = ChatStory.loaded([Message("1", from: .bob, at: .max)])
        story.take(.open("b"), .send("Answer", to: "b"))
        #expect(Set(story.messages.map(\.text)) == ["Hello", "Answer"])
    }

    @Test func `only the last of the user's messages shows the delivery`() {
        let messages = (1...3).map { Message("\($0)", from: .ada, to: .bob, at: Int64($0)) }
        var story = ChatStory.loaded(messages, read: ["1", "2"])
        story.take(.open("b"))
        #expect(story.messages.map(\.delivery) == [nil, "read", "sent"])
    }

    // MARK: Open and closed chats

    @Test func `a message for a closed chat causes a notice, and is shown when the chat opens`() {
        var story = ChatStory.loaded()
        story.take(.open("c"))
        story.take(.arrived(Changes(messages: [Message("1", from: .bob)])))
        #expect(story.viewModel.notice == "bob writes: Hello")
        #expect(story.viewModel.title == "Chat with cleo (1 unread)")
        #expect(story.viewModel.actions == [ActionViewModel(label: "Read bob", request: .open("b"))])
        story.take(.open("b"))
        #expect(story.viewModel.notice == nil)
        #expect(story.viewModel.title == "Chat with bob")
        story.take(.arrived(Changes(messages: [Message("2", from: .bob, at: 2, "More")])))
        #expect(story.messages.map(\.text) == ["Hello", "More"])
        #expect(story.viewModel.notice == nil)
    }

    @Test func `a shown message is marked as read, and its author is notified`() {
        var story = ChatStory.loaded([Message("1", from: .bob)])
        story.take(.open("b"))
        #expect(story.effects == [.openSocket("b"), .tell(["1"], to: "b")])
        story.take(.arrived(Changes(messages: [Message("2", from: .bob, at: 2)])))
        #expect(story.effects == [.tell(["2"], to: "b")])
    }

    @Test func `a notice disappears when its message is read in another window`() {
        var story = ChatStory.loaded()
        story.take(.arrived(Changes(messages: [Message("1", from: .bob)])))
        story.take(.arrived(Changes(read: ["0"])))
        #expect(story.viewModel.notice == "bob writes: Hello", "another message was read")
        story.take(.arrived(Changes(messages: [Message("1", from: .bob)], read: ["1"])))
        #expect(story.viewModel.notice == nil && story.viewModel.title == "Chats of ada")
    }

    @Test func `each new message counts as one arrival`() {
        var story = ChatStory.loaded([Message("1", from: .bob)])
        #expect(story.viewModel.arrivals == 0)
        let new = Message("2", from: .bob, at: 2)
        story.take(.arrived(Changes(messages: [new])), .arrived(Changes(messages: [new])))
        story.take(.arrived(Changes(messages: [Message("3", from: .ada, to: .bob, at: 3)])))
        #expect(story.viewModel.arrivals == 1)
    }

    // MARK: Creating

    @Test func `a chat is created before it opens`() {
        var state = ChatStory.loaded().state
        #expect(state.take(.findContact) == [])
        #expect(state.take(.open("b")) == [.create("b")])
        #expect(ChatViewModelBuilder(state: state).build().status == .busy("Starting the chat with bob"))
        #expect(state.take(.open("b")) == [], "it is being done")
        #expect(state.take(.ended(.create("b"))) == [.openSocket("b")])
        #expect(state.openChat == "b" && state.creation == nil)
    }

    @Test func `a chat that cannot be created is reported, and can be created again`() {
        var state = ChatStory.loaded().state
        for request in [ChatRequest.findContact, .open("b")] { _ = state.take(request) }
        _ = state.take(.failed(.create("b"), .busy))
        let shown = ChatViewModelBuilder(state: state).build()
        #expect(
            shown.status == .failed("The chat with bob was not started: the database is in use by another program"))
        #expect(shown.actions == [ActionViewModel(label: "Try again", request: .open("b"))])
        #expect(shown.screen == .contacts)
        #expect(state.take(.open("b")) == [.create("b")])
        _ = state.take(.back)
        #expect(state.take(.ended(.create("b"))) == [] && state.openChat == nil, "the user has gone back")
    }

    @Test func `a chat without messages is listed, here and in another window`() {
        var story = ChatStory.loaded()
        story.take(.arrived(Changes(chats: ["b"])))
        #expect(story.chats == [RowViewModel(label: "bob", detail: "no messages yet", request: .open("b"))])
    }

    // MARK: Pages

    private let long = (1...320).map { Message("\($0)", from: .bob, at: Int64($0), "\($0)") }

    @Test func `messages are read page by page as the user scrolls back`() {
        var story = ChatStory.loaded(long, read: Set(long.map(\.id)))
        #expect(story.state.conversations.chats["b"]?.messages.count == 1)
        story.take(.open("b"))
        #expect(story.state.conversations.chats["b"]?.messages.count == 101)
        #expect(story.messages.map(\.text) == (271...320).map(String.init))
        #expect(story.viewModel.actions.map(\.label) == ["Earlier", "Later"])
        for _ in 1...40 { story.take(.scroll(by: -10)) }
        #expect(story.messages.map(\.text) == ["1"])
        #expect(story.viewModel.actions.map(\.label) == ["Earlier", "Later"], "keys keep their meaning")
        #expect(story.state.conversations.chats["b"]?.messages == long)
        story.take(.arrived(Changes(messages: [Message("new", from: .bob, at: 999)])))
        #expect(story.messages.last?.text == "1", "an arrival does not move what is read")
        story.take(.send("Answer", to: "b"))
        #expect(story.messages.last?.text == "Answer", "writing returns to the end")
        for distance in [Int.min, .max, -1, 1] { story.take(.scroll(by: distance)) }
        #expect(story.messages.last?.text == "Answer")
    }

    @Test func `a page that arrives late is ignored if it would leave a gap`() {
        var state = ChatStory.loaded(long).state
        #expect(state.take(.open("b")).contains(.readPage(before: long[319])))
        var archive = Archive(messages: long + [Message("321", from: .bob, at: 321, "321")])
        _ = state.take(.loaded(archive.overview))
        archive.messages.removeLast()
        let effects = state.take(.pageRead(archive.page(before: long[319]), before: long[319]))
        #expect(state.conversations.chats["b"]?.messages.map(\.id) == ["321"])
        #expect(effects.contains { if case .readPage(let first) = $0 { first.id == "321" } else { false } })
    }

    @Test func `a message before the loaded ones is shown only with its page`() {
        var story = ChatStory.loaded(long, read: Set(long.map(\.id)))
        story.take(.arrived(Changes(messages: [long[5]], read: [long[5].id])))
        #expect(story.state.conversations.chats["b"]?.messages.map(\.id) == ["320"])
        #expect(story.viewModel.title == "Chats of ada" && story.viewModel.arrivals == 0)
    }

    @Test func `after reading a page has failed, scrolling reads it again`() {
        var state = ChatStory.loaded(long).state
        _ = state.take(.open("b"))
        #expect(state.take(.failed(.page, .busy)) == [], "not at once")
        #expect(state.take(.scroll(by: -1)) == [.readPage(before: long[319])])
    }

    @Test func `a message that arrives while the user reads the last one does not move it`() {
        var story = ChatStory.loaded([Message("1", from: .bob, "Long")])
        story.take(.open("b"), .scroll(by: 0))
        story.take(.arrived(Changes(messages: [Message("2", from: .bob, at: 2, "New")])))
        #expect(story.messages.map(\.text) == ["Long"])
        story.take(.scroll(by: 1))
        story.take(.arrived(Changes(messages: [Message("3", from: .bob, at: 3, "Newer")])))
        #expect(story.messages.map(\.text) == ["Long", "New", "Newer"])
    }

    // MARK: Times

    @Test func `messages have times, days have separators, and chats have dates`() {
        let day: Int64 = 86_400_000
        let now = 20_000 * day + 9 * 3_600_000  // 2024-10-04 09:00 UTC
        var story = ChatStory.loaded(
            [
                Message("1", from: .bob, at: now - 400 * day), Message("2", from: .bob, at: now - day),
                Message("3", from: .bob, at: now - day + 60_000), Message("4", from: .bob, at: now),
                Message("5", from: .cleo, at: now - 3 * day), Message("6", from: .bot, at: .min),
            ], clock: now)
        #expect(story.chats.map(\.date) == ["09:00", "1 Oct", "1 Jan 1970"])
        story.take(.open("b"))
        #expect(story.messages.map(\.day) == ["31 Aug 2023", "Yesterday", nil, "Today"])
        #expect(story.messages.map(\.time) == ["09:00", "09:00", "09:01", "09:00"])
        #expect(story.messages.map(\.author) == ["bob", "bob", nil, "bob"])
        #expect(LocalTime(milliseconds: .max, zone: .utc).year == 9999)
    }

    @Test func `a failed read mark is sent with the next one`() {
        var story = ChatStory.loaded([Message("1", from: .bob)])
        story.take(.open("b"))
        story.take(.notTold(["1"], to: "b"))
        #expect(story.effects == [])
        story.take(.arrived(Changes(messages: [Message("2", from: .bob, at: 2)])))
        #expect(story.effects == [.tell(["1", "2"], to: "b")])
    }

    @Test func `the socket is open while its chat is open`() {
        var story = ChatStory.loaded()
        story.take(.open("b"))
        #expect(story.effects == [.openSocket("b")])
        story.take(.open("b"))
        #expect(story.effects == [])
        story.take(.open("c"))
        #expect(story.effects == [.closeSocket, .openSocket("c")])
        story.take(.back)
        #expect(story.effects == [.closeSocket])
    }

    @Test func `a finished screen is removed from the stack`() {
        var story = ChatStory.loaded()
        story.take(.findContact, .open("b"), .open("c"))
        #expect(story.state.screens == [.chats, .chat("c")])
        story.take(.back)
        #expect(story.state.screens == [.chats])
        story.take(.back)
        #expect(story.viewModel.isOver)
        #expect(story.state.ending == .left)
    }

    // MARK: Contacts

    @Test func `renamed and deleted contacts are marked`() {
        var story = ChatStory.loaded([Message("1", from: .bob, "Old")])
        let others = [Contact(id: "b", name: "bob", isFormer: true), Contact(id: "n", name: "bob")]
        story.take(.arrived(Changes(contacts: others, messages: [Message("2", from: others[1], at: 2)])))
        #expect(story.chats.map(\.label) == ["bob", "formerly bob"])
        story.take(.arrived(Changes(contacts: [Contact(id: "b", name: "robert")])))
        #expect(story.chats.map(\.label) == ["bob", "robert"])
    }

    @Test func `an author without a name is shown as an unknown user`() {
        var story = ChatStory.loaded()
        story.take(.arrived(Changes(messages: [Message("1", from: Contact(id: "x", name: ""))])))
        #expect(story.chats.map(\.label) == ["unknown user"])
    }

    @Test func `names are completed in any case, without the user's own name and former names`() {
        let people = [
            Contact.ada, Contact(id: "1", name: "Alan"), Contact(id: "2", name: "albert", isFormer: true),
            Contact(id: "3", name: "alonzo"), Contact.bob,
        ]
        let builder = CompletionBuilder(contacts: Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) }), me: "a")
        #expect(builder.build(for: "AL").rows.map(\.label) == ["Alan", "alonzo"])
        #expect(builder.build(for: "").rows.map(\.label) == ["Alan", "alonzo", "bob"])
        #expect(builder.build(for: "alx").rows == [])
        #expect(builder.build(for: "b").rows == [RowViewModel(label: "bob", request: .open("b"))])
    }
}
