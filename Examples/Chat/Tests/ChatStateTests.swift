import Testing

@testable import chat

@Suite(.timeLimit(.minutes(60)))
struct ChatStateTests {
    @Test func `a message is stored before it counts as sent`() throws {
        var state = ChatState(me: Contact(id: "a", name: "ada"), newID: { "1" }, now: { 0 })
        let hello = try #require(MessageText(" Hello "))
        let effects = state.take(.send(hello, to: Contact.bot.id))
        let message = Message(id: "1", author: "a", reader: Contact.bot.id, writtenAt: 0, text: hello)
        #expect(effects == [.send(message)] && state.conversations.delivery(of: message) == .sending)
        _ = state.take(.sent(message))
        #expect(state.conversations.delivery(of: message) == .sent)
    }
}
