import LatchkeyForms
import Testing

@testable import scoreboard

@Suite(.timeLimit(.minutes(60))) struct GameFormTests {
    private let names = ["Lions", "Ana", "Bea", "Cleo", "Tigers", "Xena", "Yara", "Zoe"]

    private func model(_ names: [String]) -> FormViewModel {
        let model = FormViewModel(form: GameForm.form(), messages: MessageTable.english.adding(GameForm.sentences))
        for (field, name) in zip(model.fields, names) { model.set(name.utf8Span, for: field.apiKey) }
        return model
    }

    private func messages(_ names: [String]) -> [String] {
        let model = model(names)
        model.validateForm()
        return model.state.fields.compactMap(\.message)
    }

    @Test func `eight names are enough for a game`() throws {
        let answers = try #require(model(names.map { " \($0) " }).takeCredentials())
        #expect(GameForm.draft(of: answers) == .example)
    }

    @Test func `no name may be empty`() {
        #expect(messages([]).count == 8)
        for place in names.indices {
            var some = names
            some[place] = "  "
            #expect(messages(some).count == 1)
        }
    }

    @Test(arguments: [
        (4, "LIONS", "Guests must be different from Home team"),
        (2, "ana", "Home team, player 2 must be different from Home team, player 1"),
        (7, "Ana", "Guests, player 3 must be different from Home team, player 1"),
        (3, "Seventeen letters", "Home team, player 3 must be at most 16 characters"),
    ])
    func `names must be different and short`(place: Int, name: String, message: String) {
        var some = names
        some[place] = name
        #expect(messages(some) == [message])
    }

    @Test func `two encodings of a name count as equal`() {
        var some = names
        some[1] = "Zo\u{E9}"
        some[7] = "ZOE\u{301}"
        #expect(messages(some).count == 1)
    }

    @Test func `a team may have the name of a player`() {
        var some = names
        some[1] = "Lions"
        #expect(messages(some).isEmpty)
    }

    @Test func `a name with too many combining marks is refused`() {
        var some = names
        some[1] = "a" + String(repeating: "\u{301}", count: 500)
        #expect(messages(some).count == 1)
    }
}
