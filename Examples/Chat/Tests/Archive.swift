@testable import chat

/// The content of the archive, for ada.
struct Archive: Equatable, Sendable {
    var contacts: [Contact] = [.bob, .cleo]
    /// The partners of chats that were created.
    var chats: [Contact.ID] = []
    var messages: [Message] = []
    var read: Set<Message.ID> = []
    var drafts: [Contact.ID: String] = [:]
    var revision: Int64 = 0

    var overview: Overview {
        var overview = Overview(contacts: contacts, drafts: drafts, revision: revision)
        let mine = messages.filter { ($0.author == "a") != ($0.reader == "a") }
        for (partner, messages) in Dictionary(grouping: mine, by: { $0.partner(of: "a") }) {
            overview.last += [messages.max(by: Message.isBefore)].compactMap(\.self)
            let unread = messages.filter { $0.author == partner && !read.contains($0.id) }
            if !unread.isEmpty { overview.unread[partner] = Set(unread.map(\.id)) }
        }
        overview.chats = Set(chats + overview.last.map { $0.partner(of: "a") }).sorted()
        overview.read = read.intersection(overview.last.map(\.id))
        return overview
    }

    func page(before first: Message) -> Page {
        let earlier = messages.sorted(by: Message.isBefore).filter {
            $0.partner(of: "a") == first.partner(of: "a") && Message.isBefore($0, first)
        }
        let page = earlier.suffix(Page.size)
        return Page(
            messages: Array(page), read: read.intersection(page.map(\.id)), hasEarlier: earlier.count > page.count)
    }
}
