import LatchkeyFlows
import LatchkeyForms

/// Why a command ends without having done what it was asked: an exit status, a code, and values for the sentence.
struct ToolFailure: Error, Sendable {
    let status: ExitStatus
    /// Stable; the sentence is the message table's for `tool.` and this.
    let code: String
    let values: [String: RuleFailure.Value]
    /// One for each field that was refused.
    var errors: [FieldError] = []
    var retryAfter: Int?
    /// What is wrong with a description or a configuration: the sentence shows it as `{problem}`.
    var problem: FormDescriptionError.Problem?
    /// What `--json` tells beside code and sentence.
    var members: [(key: String, value: JSONValue)] = []
    /// The status and the sentence of a call's answer, where it was one.
    var response: NetworkResponse?

    init(_ status: ExitStatus, _ code: String, _ values: [String: RuleFailure.Value] = [:]) {
        self.status = status
        self.code = code
        self.values = values
    }

    /// The signal that asked for the end; the process ends by it.
    var signal: Int32?

    /// Whether some of the work is done, and has been told: it is the rest of which "nothing was changed" is said.
    var isMidway = false

    /// Whether it has been told on the terminal already.
    var isTold = false

    /// A field that was refused, with its sentence.
    struct FieldError: Sendable {
        let field: String
        /// The flag that gives the field, with its hyphens, for people.
        let flag: String?
        let code: String
        let values: [String: RuleFailure.Value]
        let message: String
    }

    /// One sentence, and a line for each field.
    func sentence(_ messages: MessageTable) -> String {
        var values = values
        if let problem { values["problem"] = .text(messages.sentence(problem.code, problem.values)) }
        let sentence = messages.sentence(response?.sentenceCode ?? "tool." + code, values)
        return isMidway ? messages.sentence("tool.stopped", ["failure": .text(sentence)]) : sentence
    }
}
