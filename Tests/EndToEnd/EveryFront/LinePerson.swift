import LatchkeyForms
import TestSupport
import Testing

/// Fills in a form line by line: types the row's answers, and a valid answer after each refused one.
@MainActor
final class LinePerson {
    private let row: FormCase
    private let form: Form
    private let session: PtySession

    /// The messages at each field, in order.
    private(set) var said: [(field: FieldKey, message: String)] = []
    private var asked: [FieldKey: Int] = [:]
    private var answered: [FieldKey: [UInt8]] = [:]
    /// The number of bytes of output read so far.
    private var position = 0

    private enum Question {
        case field(any FormField)
        /// The prompt after an empty line for a secret.
        case wayBack
        case submit
    }

    init(_ row: FormCase, _ form: Form, _ session: PtySession) {
        self.row = row
        self.form = form.askingTwice(.english)
        self.session = session
    }

    /// Types answers until the program ends.
    ///
    /// - Returns: the line of JSON that it printed.
    func fillIn() async throws -> String {
        while let question = try await nextQuestion() {
            switch question {
            case .submit, .wayBack: send([], isSecret: false)
            case .field(let field):
                let answer = try #require(self.answer(to: field), "\(row.why): asked again for \(field.label)")
                answered[field.apiKey] = answer
                send(answer, isSecret: field.isSecret)
            }
        }
        #expect(session.exit == .status(0), "\(row.why)")
        return Self.lines(session.pty.output[...]).last { $0.hasPrefix("{") } ?? ""
    }

    // Splits by bytes, because a carriage return and a line feed are one `Character`.
    private nonisolated static func lines(_ output: ArraySlice<UInt8>) -> [String] {
        output.filter { $0 != UInt8(ascii: "\r") }.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
        )
        .map { String(decoding: $0, as: UTF8.self) }
    }

    private func nextQuestion() async throws -> Question? {
        let (session, start) = (session, position)
        let prompts = prompts
        try await session.pty.wait(for: "a question in \(form.id)") {
            let new = session.pty.output.dropFirst(start)
            guard session.exit == nil else { return true }
            let line = Self.lines(new).last ?? ""
            return prompts.contains { $0.isAsked(by: line) }
        }
        // The strength of a password, the demand on it, the help and the options are hints, not verdicts.
        let help = form.fields.compactMap(\.help)
        let lines = Self.lines(session.pty.output.dropFirst(position)).filter { line in
            line.wholeMatch(of: /((Very )?(weak|strong)|Weak|Fair|Strong)(: .*)?/) == nil
                && line.wholeMatch(of: /(At least )?[0-9]+ characters/) == nil
                && line.wholeMatch(of: /[0-9]+\. .*/) == nil && !help.contains(line)
        }
        position = session.pty.output.count
        guard let last = lines.last, let prompt = prompts.first(where: { $0.isAsked(by: last) }) else { return nil }
        if case .field(let field) = prompt.question {
            asked[field.apiKey, default: 0] += 1
            // The typed text ends the first line. A message follows, or the form's title at the start.
            if !answered.isEmpty, lines.count > 2 { said.append((field.apiKey, lines[lines.count - 2])) }
        }
        return prompt.question
    }

    private struct Prompt: Sendable {
        let start: String
        let question: Question

        func isAsked(by line: String) -> Bool {
            guard line.hasPrefix(start), line.hasSuffix(": ") else { return false }
            let rest = line.dropFirst(start.count)
            guard case .field = question else { return true }
            return [": ", " (", " ["].contains { rest.hasPrefix($0) }
        }
    }

    private var prompts: [Prompt] {
        form.fields.map { Prompt(start: $0.label, question: .field($0)) } + [
            Prompt(start: "Nothing entered. ", question: .wayBack),
            Prompt(start: "Enter: \(form.submit), < goes back", question: .submit),
        ]
    }

    /// Nil if there are no more answers.
    private func answer(to field: any FormField) -> [UInt8]? {
        if let confirmed = (field as? ConfirmationField)?.confirmed { return answered[confirmed] }
        let wasRefused = said.last?.field == field.apiKey
        let good = Array((row.mend?[field.apiKey.rawValue] ?? row.goodAnswer(field.apiKey)).utf8)
        switch asked[field.apiKey] ?? 0 {
        case 1 where row.mend?[field.apiKey.rawValue] != nil && !said.isEmpty: return good
        case 1: return row.answer(field.apiKey)
        // An empty line keeps the current value.
        case 2...3: return wasRefused ? (good.isEmpty ? Array(":empty".utf8) : good) : []
        default: return nil
        }
    }

    private func send(_ answer: [UInt8], isSecret: Bool) {
        var line = answer
        let isCommand = answer == Array("<".utf8) || answer == Array("?".utf8) || answer.first == UInt8(ascii: ":")
        let escaped = answer.drop { $0 == UInt8(ascii: "\\") }
        let looksEscaped = escaped.count < answer.count && escaped.first.map { Array("<?:".utf8).contains($0) } == true
        if !isSecret, (isCommand && answer != Array(":empty".utf8)) || looksEscaped {
            line.insert(UInt8(ascii: "\\"), at: 0)
        }
        // Ctrl-V makes the next control character literal.
        let typed = line.flatMap { $0 < 0x20 || $0 == 0x7F ? [0x16, $0] : [$0] }
        session.pty.send(typed + [UInt8(ascii: "\n")])
    }
}
