public import LatchkeyForms

extension NetworkResponse {
    /// The alert to show above `form` for this response; nil after a success without an alert.
    public func alert(in form: Form, _ messages: MessageTable) -> AlertViewModel? {
        let messages = messages.completed(by: .flows)
        switch outcome {
        case .success:
            guard code == .codeSent || code == .enrolmentStarted else { return nil }
            return AlertViewModel(title: messages.sentence(sentenceCode), isInformation: true)
        case .mustChangePassword:
            return AlertViewModel(title: messages.sentence(sentenceCode))
        case .refused(let failures):
            return AlertViewModel(
                code: code.rawValue, title: messages.sentence(sentenceCode),
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

    /// The code of this response's sentence in a `MessageTable`.
    public var sentenceCode: String { "response." + code.rawValue }

    /// The code of the message to show after `flow` has succeeded.
    public func doneCode(of flow: AccountType) -> String {
        code == .passwordReset ? sentenceCode : "done." + flow.rawValue
    }

    /// The message to show after a success, such as earlier failed logins or the outbox folder; nil for none.
    public func notice(_ messages: MessageTable) -> String? {
        if let outbox {
            return messages.completed(by: .flows).sentence("notice.outbox", ["path": .text(outbox)])
        }
        guard let failedLogins else { return nil }
        return messages.completed(by: .flows).sentence(
            "notice.failed_logins", ["count": .integer(failedLogins.count), "time": .text(failedLogins.lastAt)])
    }

    private func recovery(from form: Form, _ messages: MessageTable) -> [AlertViewModel.Action] {
        if form.accountType == .forgotPassword { return [] }
        return [AlertViewModel.Action(title: messages.linkLabel(to: .forgotPassword), meaning: .open(.forgotPassword))]
    }
}

extension Duration {
    /// The remaining wait in whole seconds, for display; 0 if the time has passed.
    package var wholeSecondsRoundedUp: Int {
        let (seconds, attoseconds) = components
        return max(0, Int(clamping: attoseconds > 0 ? seconds + 1 : seconds))
    }
}
