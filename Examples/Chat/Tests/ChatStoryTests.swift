import LatchkeyAccounts
import Testing

@testable import chat

/// What is seen, and what is done, after what happened.
struct ChatStoryTests {
    // MARK: Reading

    @Test func `chats are listed, the newest first, with what was not read`() {
        let story = ChatStory.loaded(
            Changes(
                messages: [
                    Message("1", from: .bob, at: 1, "Old"), Message("2", from: .cleo, at: 2, "Read"),
                    Message("3", from: .bob, at: 3, "New"), Message("4", from: .ada, to: .cleo, at: 4, "Answer"),
                ], read: ["2"]))
        #expect(
            story.chats == [
                RowViewModel(label: "cleo", detail: "You: Answer", request: .open("c")),
                RowViewModel(label: "bob", unread: 2, detail: "New", request: .open("b")),
            ])
        #expect(story.viewModel.title == "Chats of ada (2 unread)")
        #expect(story.viewModel.notice == nil, "what was there before is no news")
    }

    @Test func `what is not ours is not taken`() {
        let story = ChatStory.loaded(Changes(messages: [Message("1", from: .bob, to: .cleo)]))
        #expect(story.chats.isEmpty)
    }

    @Test func `first the disk is read, and then the news`() {
        var story = ChatStory()
        story.take(.asked(.load))
        #expect(story.effects == [.load])
        #expect(story.viewModel.status == .busy("Reading the chats"))
        story.take(.asked(.load))
        #expect(story.effects == [], "it is being done")
        story.take(.loaded(Changes(revision: 7)))
        #expect(story.effects == [.synchronise(since: 7), .watch(since: 7)])
        #expect(story.viewModel.status == .busy("Looking for news"))
        story.take(.synchronised(Changes(revision: 8)))
        #expect(story.viewModel.status == .idle)
        #expect(story.viewModel.actions.isEmpty)
    }

    @Test(arguments: [ChatEvent.Step.load, .synchronise, .watch])
    func `what failed is said, and can be tried again`(step: ChatEvent.Step) {
        var story = ChatStory.loaded()
        story.take(.failed(step, .busy))
        guard case .failed(let why) = story.viewModel.status else {
            Issue.record("\(story.viewModel.status)")
            return
        }
        #expect(why.hasSuffix("the database is in use by another program"))
        #expect(story.viewModel.actions == [ActionViewModel(label: "Try again", request: .load)])
        story.take(.asked(.load))
        #expect(story.effects == [.load])
        story.take(.loaded(Changes()), .synchronised(Changes()))
        #expect(story.viewModel.status == .idle)
    }

    @Test func `news after a failure say that it is over`() {
        var story = ChatStory.loaded()
        story.take(.failed(.watch, .busy), .arrived(Changes(), by: .push))
        #expect(story.viewModel.status == .idle)
    }

    // MARK: Writing

    @Test func `a message is sending, sent, and read`() {
        var story = ChatStory.loaded()
        story.take(.asked(.open("b")), .asked(.send("Hello", to: "b")))
        let message = Message("own1", from: .ada, to: .bob, at: 100)
        #expect(story.effects == [.send(message)])
        #expect(story.messages.map(\.delivery) == ["sending"])
        story.take(.sent(message))
        #expect(story.messages.map(\.delivery) == ["sent"])
        story.take(.arrived(Changes(read: ["own1"]), by: .socket))
        #expect(story.messages.map(\.delivery) == ["read"])
    }

    @Test(arguments: [
        (Delivery.Failure.store(.full), "not sent: there is no room left on the disk"),
        (.store(.readOnly), "not sent: the database may not be written"),
        (.store(.busy), "not sent: the database is in use by another program"),
        (.signedOut, "not sent: you are not signed in any more"),
    ])
    func `a message that failed says why, and can be sent again`(why: Delivery.Failure, sentence: String) {
        var story = ChatStory.loaded()
        story.take(.asked(.open("b")), .asked(.send("Hello", to: "b")), .notSent("own1", why))
        #expect(story.messages == [MessageViewModel(author: "You", text: "Hello", delivery: sentence, isFailed: true)])
        #expect(story.state.conversations.unsent.map(\.id) == ["own1"])
        #expect(story.viewModel.actions == [ActionViewModel(label: "Send again", request: .sendAgain("b"))])
        story.take(.asked(.sendAgain("b")))
        #expect(story.effects == [.send(Message("own1", from: .ada, to: .bob, at: 100))])
        #expect(story.messages.map(\.delivery) == ["sending"])
        #expect(story.viewModel.actions.isEmpty)
    }

    @Test func `a message that arrived was sent, whatever the answer said`() {
        var story = ChatStory.loaded()
        story.take(.asked(.open("b")), .asked(.send("Hello", to: "b")))
        story.take(.arrived(Changes(messages: [Message("own1", from: .ada, to: .bob, at: 100)]), by: .push))
        story.take(.notSent("own1", .store(.busy)))
        #expect(story.messages.map(\.delivery) == ["sent"])
    }

    @Test func `an answer stands below what it answers, though the clock was turned back`() {
        var story = ChatStory.loaded(Changes(messages: [Message("1", from: .bob, at: 5000, "Question")]), clock: 100)
        story.take(.asked(.open("b")), .asked(.send("Answer", to: "b")))
        #expect(story.messages.map(\.text) == ["Question", "Answer"])
    }

    @Test func `after the last moment there is, one can still write`() {
        var story = ChatStory.loaded(Changes(messages: [Message("1", from: .bob, at: .max)]))
        story.take(.asked(.open("b")), .asked(.send("Answer", to: "b")))
        #expect(Set(story.messages.map(\.text)) == ["Hello", "Answer"])
    }

    @Test func `of our own, the last of a kind tells how far they have come`() {
        let messages = (1...3).map { Message("\($0)", from: .ada, to: .bob, at: Int64($0)) }
        var story = ChatStory.loaded(Changes(messages: messages, read: ["1", "2"]))
        story.take(.asked(.open("b")))
        #expect(story.messages.map(\.delivery) == [nil, "read", "sent"])
    }

    // MARK: What is open

    @Test func `a message for a chat that is not open is noticed, and shown at once when it is`() {
        var story = ChatStory.loaded()
        story.take(.asked(.open("c")), .arrived(Changes(messages: [Message("1", from: .bob)]), by: .push))
        #expect(story.viewModel.notice == "bob writes: Hello")
        #expect(story.viewModel.title == "Chat with cleo (1 unread)")
        #expect(story.viewModel.actions == [ActionViewModel(label: "Read bob", request: .open("b"))])
        story.take(.asked(.open("b")))
        #expect(story.viewModel.notice == nil)
        #expect(story.viewModel.title == "Chat with bob")
        story.take(.arrived(Changes(messages: [Message("2", from: .bob, at: 2, "More")]), by: .socket))
        #expect(story.messages.map(\.text) == ["Hello", "More"])
        #expect(story.viewModel.notice == nil)
    }

    @Test func `what is shown is read, and the other is told`() {
        var story = ChatStory.loaded(Changes(messages: [Message("1", from: .bob)]))
        story.take(.asked(.open("b")))
        #expect(story.effects == [.openSocket("b"), .tell(["1"], to: "b")])
        story.take(.arrived(Changes(messages: [Message("2", from: .bob, at: 2)]), by: .socket))
        #expect(story.effects == [.tell(["2"], to: "b")])
    }

    @Test func `what could not be told is told with the next, and not at once`() {
        var story = ChatStory.loaded(Changes(messages: [Message("1", from: .bob)]))
        story.take(.asked(.open("b")), .notTold(["1"], to: "b"))
        #expect(story.effects == [])
        story.take(.arrived(Changes(messages: [Message("2", from: .bob, at: 2)]), by: .push))
        #expect(story.effects == [.tell(["1", "2"], to: "b")])
    }

    @Test func `the socket is open while its chat is`() {
        var story = ChatStory.loaded()
        story.take(.asked(.open("b")))
        #expect(story.effects == [.openSocket("b")])
        story.take(.asked(.open("b")))
        #expect(story.effects == [])
        story.take(.asked(.open("c")))
        #expect(story.effects == [.closeSocket, .openSocket("c")])
        story.take(.asked(.back))
        #expect(story.effects == [.closeSocket])
    }

    @Test func `a screen that has done its work is not come back to`() {
        var story = ChatStory.loaded()
        story.take(.asked(.findContact), .asked(.open("b")), .asked(.open("c")))
        #expect(story.state.screens == [.chats, .chat("c")])
        story.take(.asked(.back))
        #expect(story.state.screens == [.chats])
        story.take(.asked(.back))
        #expect(story.viewModel.isOver)
        #expect(story.state.ending == .left)
    }

    // MARK: People

    @Test func `who is called otherwise, or is gone, is told apart`() {
        var story = ChatStory.loaded(Changes(messages: [Message("1", from: .bob, "Old")]))
        let others = [Contact(id: "b", name: "bob", isFormer: true), Contact(id: "n", name: "bob")]
        story.take(.arrived(Changes(contacts: others, messages: [Message("2", from: others[1], at: 2)]), by: .push))
        #expect(story.chats.map(\.label) == ["bob", "formerly bob"])
        story.take(.arrived(Changes(contacts: [Contact(id: "b", name: "robert")]), by: .push))
        #expect(story.chats.map(\.label) == ["bob", "robert"])
    }

    @Test func `who wrote without being known is shown`() {
        var story = ChatStory.loaded()
        story.take(.arrived(Changes(messages: [Message("1", from: Contact(id: "x", name: ""))]), by: .socket))
        #expect(story.chats.map(\.label) == ["somebody unknown"])
    }

    @Test func `names are completed in either case, our own and former ones are not offered`() {
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
