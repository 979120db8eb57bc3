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

    @Test func `each sentence belongs to an error`() {
        #expect(Set(ModuleSentences.remote.sentences.keys) == Set(Self.errors.map(\.sentenceCode)))
    }

    @Test(arguments: [MessageTable.english, .portuguese])
    func `each sentence contains the values of its error`(messages: MessageTable) {
        for error in Self.errors {
            let sentence = error.sentence(messages)
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
