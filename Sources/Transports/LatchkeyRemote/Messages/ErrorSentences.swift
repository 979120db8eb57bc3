package import LatchkeyForms
import LatchkeyNetworking

/// An error of this module with a sentence in ``ModuleSentences/remote``.
package protocol ErrorWithSentence: Error {
    /// The code of the sentence.
    var sentenceCode: String { get }
    /// The values for the placeholders in the sentence.
    var sentenceValues: [String: RuleFailure.Value] { get }
}

extension ErrorWithSentence {
    /// The sentence to show to the user.
    package func sentence(_ messages: MessageTable) -> String {
        messages.completed(by: .remote).sentence(sentenceCode, sentenceValues)
    }
}

extension RemoteOriginError: ErrorWithSentence {
    package var sentenceCode: String {
        switch self {
        case .malformed: "origin.malformed"
        case .unencrypted: "origin.unencrypted"
        case .socketPath: "origin.socket_path"
        }
    }

    package var sentenceValues: [String: RuleFailure.Value] {
        guard case .unencrypted(let host) = self else { return [:] }
        return ["host": .text(host)]
    }
}

extension HTTPNetworking.Fault: ErrorWithSentence, ClientFault {
    package var sentenceCode: String {
        switch self {
        case .transfer(.unreachable): "service.unreachable"
        case .transfer(.certificate): "service.certificate"
        case .transfer(.unencrypted): "service.unencrypted"
        case .transfer(.timedOut): "service.timed_out"
        case .transfer(.tooLarge): "service.too_large"
        case .transfer(.exhausted): "service.exhausted"
        case .transfer(.failed): "service.failed"
        case .answer: "service.answer"
        case .valuesTooLarge: "service.values_too_large"
        }
    }

    package var sentenceValues: [String: RuleFailure.Value] {
        switch self {
        case .transfer(.failed(let code)): ["code": .integer(Int(code))]
        case .answer(let status): ["status": .integer(status)]
        case .transfer, .valuesTooLarge: [:]
        }
    }
}

extension SMTPServerError: ErrorWithSentence {
    package var sentenceCode: String {
        switch self {
        case .notAnObject: "smtp.not_an_object"
        case .unknownMember: "smtp.unknown_member"
        case .missing: "smtp.missing"
        case .notText: "smtp.not_text"
        case .url: "smtp.url"
        case .sender: "smtp.sender"
        case .hello: "smtp.hello"
        case .plain: "smtp.plain"
        case .user: "smtp.user"
        case .password: "smtp.password"
        case .relativePath: "smtp.relative_path"
        case .passwordFile(_, .missing): "smtp.file_missing"
        case .passwordFile(_, .exposed): "smtp.file_exposed"
        case .passwordFile(_, .unreadable): "smtp.file_unreadable"
        }
    }

    package var sentenceValues: [String: RuleFailure.Value] {
        switch self {
        case .unknownMember(let key), .missing(let key), .notText(let key): ["key": .text(key)]
        case .relativePath(let path), .passwordFile(let path, _): ["path": .text(path)]
        case .notAnObject, .url, .sender, .hello, .plain, .user, .password: [:]
        }
    }
}
