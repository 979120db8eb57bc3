import LatchkeyFlows

/// Answers every message that is sent to it, in the author's process. It is an ordinary listener.
struct ChatBot: Sendable {
    /// The archive of the bot's own account.
    let archive: any ChatArchive
    let newID: @Sendable () -> Message.ID

    func listen(to events: EventStream<NetworkMessage>) -> EventListener {
        let feed = events.events { event -> Message? in
            if case .sent(let message) = event, message.reader == Contact.bot.id { message } else { nil }
        }
        return feed.listen { heard in
            // If writing fails, this message gets no answer. The next one may get one.
            if let message = heard.event { try? await answer(message) }
        }
    }

    private func answer(_ message: Message) async throws {
        try await archive.markRead([message.id])
        guard let text = MessageText(Self.answer(to: message.text.text)) else { return }
        try await archive.append(
            Message(
                id: newID(), author: Contact.bot.id, reader: message.author, writtenAt: message.writtenAt &+ 1,
                text: text))
    }

    static func answer(to text: String) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        switch words.first?.lowercased() {
        case "hello", "hi": return "Hello! Write \"help\" to see what I can do."
        case "help": return "I count the words of what you write, and turn what follows \"reverse\" round."
        case "reverse" where words.count > 1: return String(words.dropFirst().joined(separator: " ").reversed())
        default: return words.count == 1 ? "That was one word." : "Those were \(words.count) words."
        }
    }
}
