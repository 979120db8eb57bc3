import LatchkeyFlows

/// Completes names while they are typed, on its own stream. It never waits for the chats, even if the database does not
/// respond.
actor ContactCompletion {
    nonisolated let viewModels = EventStream<CompletionViewModel>()
    private(set) var viewModel = CompletionViewModel(typed: "", rows: [])

    private let me: Contact.ID
    private var contacts = [Contact.bot.id: Contact.bot]
    private var typed = ""
    private var listener: EventListener?

    init(me: Contact.ID) { self.me = me }

    /// Learns names from messages of the network.
    func listen(to events: EventStream<NetworkMessage>) {
        let feed = events.events { $0.contacts.isEmpty ? nil : $0.contacts }
        listener = feed.listen { [weak self] heard in await self?.learn(heard.event ?? []) }
    }

    func learn(_ news: [Contact]) {
        for contact in news { contacts[contact.id] = contact }
        show()
    }

    /// Finds the contacts that a typed text may mean.
    func complete(_ text: String) {
        typed = text
        show()
    }

    private func show() {
        viewModel = CompletionBuilder(contacts: contacts, me: me).build(for: typed)
        viewModels.emit(viewModel)
    }
}
