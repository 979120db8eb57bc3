import LatchkeyForms
import LatchkeyServer
import LatchkeyWeb
import Testing

/// How pages speak.
@Suite(.timeLimit(.minutes(60)))
struct PageSentenceTests {
    private let messages = MessageTable(.english).completed(by: .web, .service, .administration)

    @Test func `explanations on pages are sentences`() {
        // What follows these is a list or a part of a sentence.
        let parts: Set<String> = ["application.id_what", "page.app_password_name_what"]
        let explanations = messages.codes.filter { $0.contains("_what") && !parts.contains($0) }
        #expect(explanations.count > 30)
        #expect(explanations.filter { !messages.sentence($0).hasSuffix(".") } == [])
    }

    @Test func `no page says please`() {
        #expect(messages.codes.filter { messages.sentence($0).lowercased().contains("please") } == [])
    }
}
