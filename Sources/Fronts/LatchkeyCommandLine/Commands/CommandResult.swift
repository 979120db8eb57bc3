package import LatchkeyFlows
package import LatchkeyForms
package import LatchkeySecrets

/// The result of a command. ``Output/show(_:_:)`` prints it for people or, with `--json`, for programs.
package enum CommandResult: Sendable {
    package typealias Members = [(key: String, value: JSONValue)]

    /// A sentence of the message table, and the members of `--json` in addition to `ok`, `status` and `code`.
    case sentence(String, [String: RuleFailure.Value] = [:], json: Members = [])
    /// Lines, and the members of `--json` in addition to `ok`, `status` and `code`.
    case lines([String], json: Members)
    /// Sentences for people, like ``lines(_:json:)``. On a terminal they are broken between words.
    case sentences([String], json: Members)
    /// A flow's response and its sentence.
    case answer(NetworkResponse, sentence: String)
    /// A secret that is shown only once. With `--json` it is printed as the member `named` of the response, with more
    /// members.
    case secret(Secret, named: String, of: NetworkResponse = .success(), json: Members = [])
    /// The command has already printed its rows, or prints nothing.
    case printed
    /// The command has already reported the results for several operands.
    case reported(worst: ExitStatus)

    /// The exit status of the command.
    var status: ExitStatus {
        guard case .reported(let worst) = self else { return .done }
        return worst
    }
}

extension Output {
    /// Prints a command's result.
    ///
    /// - Parameter name: the operand that the result belongs to, if there are several. It becomes the first member of
    ///   the object.
    package func show(_ result: CommandResult, _ messages: MessageTable, named name: String? = nil) throws(ToolFailure)
    {
        switch result {
        case .sentence(let code, let values, let members):
            try show([messages.sentence(code, values)], areSentences: true, members, named: name)
        case .lines(let lines, let members): try show(lines, areSentences: false, members, named: name)
        case .sentences(let lines, let members): try show(lines, areSentences: true, members, named: name)
        case .answer(let response, let sentence):
            guard let disclosure = response.disclosure else {
                guard json else { return try sentences([sentence]) }
                return try self.result(response.json)
            }
            guard !json else { return try line(of: response.jsonWithSecrets) }
            note(sentence)
            if case .savedCodes = disclosure { note(messages.sentence("factor.saved_codes")) }
            for secret in disclosure.secretLines { try line(of: secret) }
        case .secret(let secret, let name, let response, let members):
            try self.secret(secret, named: name, of: response, members)
        case .printed, .reported: break
        }
    }

    private func show(
        _ lines: [String], areSentences: Bool, _ members: CommandResult.Members, named name: String?
    ) throws(ToolFailure) {
        guard json else { return try areSentences ? sentences(lines) : result(lines) }
        guard case .object(let common) = NetworkResponse.success().json else { return }
        try result(.object((name.map { [("name", .string($0))] } ?? []) + common + members))
    }

    /// Prints one row of a list: a line for people or, with `--json`, an object.
    func row(_ line: @autoclosure () -> String, json object: @autoclosure () -> JSONValue) throws(ToolFailure) {
        guard json else { return try result(line()) }
        try result(object())
    }
}
