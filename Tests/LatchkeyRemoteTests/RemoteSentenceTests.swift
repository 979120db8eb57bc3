import LatchkeyForms
import LatchkeyRemote
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RemoteSentenceTests {
    private static let errors: [any ErrorWithSentence] = [
        RemoteOriginError.malformed, RemoteOriginError.unencrypted(host: "example.org"), RemoteOriginError.socketPath,
        SMTPServerError.notAnObject, SMTPServerError.unknownMember("host"), SMTPServerError.missing("url"),
        SMTPServerError.notText("url"), SMTPServerError.url, SMTPServerError.sender, SMTPServerError.user,
        SMTPServerError.hello, SMTPServerError.plain,
        SMTPServerError.password, SMTPServerError.relativePath("x"), SMTPServerError.passwordFile(path: "/x", .missing),
        SMTPServerError.passwordFile(path: "/x", .exposed), SMTPServerError.passwordFile(path: "/x", .unreadable),
        HTTPNetworking.Fault.transfer(.unreachable), HTTPNetworking.Fault.transfer(.certificate),
        HTTPNetworking.Fault.transfer(.unencrypted), HTTPNetworking.Fault.transfer(.timedOut),
        HTTPNetworking.Fault.transfer(.tooLarge), HTTPNetworking.Fault.transfer(.exhausted),
        HTTPNetworking.Fault.transfer(.failed(code: 1)), HTTPNetworking.Fault.answer(status: 404),
        HTTPNetworking.Fault.valuesTooLarge,
    ]

    @Test func `each sentence exists in both languages and belongs to an error`() {
        let english = ModuleSentences.remote.sentences(in: .english)
        let portuguese = ModuleSentences.remote.sentences(in: .portuguese)
        #expect(Set(english.keys) == Set(portuguese.keys))
        #expect(Set(english.keys) == Set(Self.errors.map(\.sentenceCode)))
        for (code, sentence) in english { #expect(sentence != portuguese[code], "\(code)") }
    }

    @Test(arguments: Language.allCases)
    func `each sentence contains the values of its error`(language: Language) {
        for error in Self.errors {
            let sentence = error.sentence(language.messages)
            #expect(!sentence.contains("{") && !sentence.contains(error.sentenceCode), "\(sentence)")
            for value in error.sentenceValues.values {
                switch value {
                case .text(let text): #expect(sentence.contains(text), "\(sentence)")
                case .integer(let number): #expect(sentence.contains("\(number)"), "\(sentence)")
                }
            }
        }
    }
}
