public import LatchkeyForms

extension NetworkResponse {
    /// What is to be shown of the answer to a call with `form`; nil where it is good news.
    public func alert(in form: Form, _ messages: MessageTable) -> AlertViewModel? {
        switch outcome {
        case .success:
            return code == .codeSent ? AlertViewModel(title: messages.sentence(sentenceCode)) : nil
        case .mustChangePassword:
            return AlertViewModel(title: messages.sentence(sentenceCode))
        case .refused(let failures):
            return AlertViewModel(
                title: messages.sentence(sentenceCode),
                lines: failures.map { messages.sentence(for: $0, in: form) }, failures: failures,
                actions: code == .invalidCredentials ? recovery(from: form, messages) : [])
        case .throttled(let retryAfter):
            return AlertViewModel(
                title: messages.sentence(sentenceCode, ["seconds": .integer(retryAfter.wholeSecondsRoundedUp)]),
                actions: recovery(from: form, messages), retryAfter: retryAfter)
        case .unavailable:
            return AlertViewModel(title: messages.sentence(sentenceCode))
        }
    }

    /// The code of the sentence for this answer in a ``MessageTable``.
    public var sentenceCode: String { "response." + code.rawValue }

    /// What a person is told after they have logged in, beyond that they have; nil where there is nothing.
    public func notice(_ messages: MessageTable) -> String? {
        guard let failedLogins else { return nil }
        return messages.sentence(
            "notice.failed_logins", ["count": .integer(failedLogins.count), "time": .text(failedLogins.lastAt)])
    }

    private func recovery(from form: Form, _ messages: MessageTable) -> [AlertViewModel.Action] {
        if form.accountType == .forgotPassword { return [] }
        return [AlertViewModel.Action(title: messages.linkLabel(to: .forgotPassword), flow: .forgotPassword)]
    }
}

extension Duration {
    /// What a person is told to wait; 0 for what has passed.
    package var wholeSecondsRoundedUp: Int {
        let (seconds, attoseconds) = components
        return max(0, Int(clamping: attoseconds > 0 ? seconds + 1 : seconds))
    }
}
