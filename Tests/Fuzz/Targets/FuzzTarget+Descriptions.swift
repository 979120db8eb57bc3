import LatchkeyProvisioning
import LatchkeySecrets
import LatchkeySystem

@testable import LatchkeyCommandLine
@testable import LatchkeyForms

extension FuzzTarget {
    /// A description is refused with a position and a sentence, or becomes a form with every rule in it.
    static let formDescription = FuzzTarget("form-description", upTo: 4_096) { bytes in
        do throws(FormDescriptionError) {
            let form = try FormCatalogue.form(of: .init(file: "form.json", bytes: bytes))
            guard let node = try? JSONReader.read(bytes) else { return "a form of what is no JSON" }
            let again = try FormCatalogue.form(of: .init(file: "form.json", bytes: Array(node.value.encoded.utf8)))
            if outline(again) != outline(form) { return "written and read again it is another form" }
            if case .array(let fields) = node.value["fields"] {
                for (written, field) in zip(fields, form.fields) {
                    guard case .array(let rules) = written["rules"] else { continue }
                    if field.validationRules.count < rules.count { return "fewer rules than were written" }
                }
                if fields.count != form.fields.count { return "fewer fields than were written" }
            }
            let model = FormViewModel(form: form.askingTwice(.english))
            model.validateForm()
            return nil
        } catch {
            let sentence = MessageTable.english.sentence(error.problem.code, error.problem.values)
            return sentence.isEmpty || sentence == error.problem.code ? "no sentence for \(error.problem.code)" : nil
        }
    }

    private static func outline(_ form: Form) -> [String] {
        [form.id, form.title, form.submit] + form.links.map(\.rawValue) + form.fields.map(outline)
    }

    private static func outline(_ field: any FormField) -> String {
        let text = field as? any FormTextField
        var parts = [field.apiKey.rawValue, field.kind.rawValue, field.label, field.flag]
        parts += ["\(field.isSecret)", "\(field.isOptional)", "\(text?.confirms ?? false)", "\(text?.trims ?? true)"]
        parts += ["\(text?.keyboardType ?? .default)", "\(field.textColor)"]
        parts += ["\(field.options)", "\(field.optionCount)", "\(field.defaultValue?.json.encoded ?? "")"]
        parts += ["\(field.page ?? "")", "\(field.condition?.values.map(\.text) ?? [])"]
        return (parts + field.validationRules.map { "\(type(of: $0)) \($0.code.rawValue)" }).joined(separator: " ")
    }

    /// Any JSON, parsed as a configuration.
    static let json = FuzzTarget("json", upTo: 2_048) { bytes in
        var problems: [Settings.Problem] = []
        _ = SettingValues(json: bytes, file: "config.json", problems: &problems)
        guard let value = try? JSONReader.read(bytes).value else { return nil }
        let written = value.encoded
        guard let again = try? JSONReader.read(Array(written.utf8)).value, again == value else {
            return "written and read again it is something else"
        }
        let hasControl = written.utf8.contains { $0 < 0x20 || $0 == 0x7F }
        return hasControl ? "a control in what is written" : nil
    }

    /// Lines in blocks, each checked by a form and by the rule that it names: one line of output for each.
    static let lines = FuzzTarget("lines", upTo: 4_096) { bytes in
        guard let folder = FuzzFolder.shared, folder.write(bytes, to: "lines"),
            let source = try? GivenFile(at: folder.path + "/lines"), let form = FuzzForms.setup
        else { return "no file to read from" }
        var input = InputLines(source, named: "lines")
        var byForm = FormLineValidator(form: form, messages: Translation.english.allMessages)
        var byRule = RuleLineValidator(messages: Translation.english.allMessages)
        var taken: [[UInt8]] = []
        var answers: [UInt8] = []
        do throws(ToolFailure) {
            var isEnded = false
            while !isEnded {
                isEnded = try !input.refill()
                while input.take({ line, bytes in
                    taken.append(bytes.indices.map { bytes[$0] })
                    byForm.answer(bytes, to: &answers)
                    byRule.answer(bytes, to: &answers)
                }) {}
            }
        } catch {
            return "\(error.code)"
        }
        var wanted = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
        if wanted.last?.isEmpty == true { wanted.removeLast() }
        if taken != wanted { return "\(taken.count) lines are read of \(wanted.count)" }
        let told = answers.split(separator: UInt8(ascii: "\n"))
        if told.count != 2 * wanted.count { return "\(told.count) answers to \(wanted.count) lines" }
        return told.allSatisfy { (try? JSONReader.read(Array($0))) != nil } ? nil : "an answer that is no JSON"
    }
}
