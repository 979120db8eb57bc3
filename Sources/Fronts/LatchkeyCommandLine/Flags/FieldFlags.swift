import Glibc
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// The values for a form's fields from flags, given directly or read from a file or descriptor.
struct FieldFlags: Sendable {
    /// The values, as canonical texts for fields of any kind.
    let inputs: [FieldKey: FieldInput]
    /// The fields for which there is a flag.
    let given: Set<FieldKey>
    /// The field that the operand fills in; nil if there is none.
    private(set) var operand: OperandField?

    /// Reads the values of all flags. The flags consume the lines of standard input in order, and no line may be left
    /// over.
    init(of context: CommandContext, form: Form) throws(ToolFailure) {
        try SecretEnvironment.refuse(for: form.fields, in: context.environment)
        let invocation = context.invocation
        var texts: [FieldKey: [UInt8]] = [:]
        var given: [(field: any FormField, source: SecretSource, flag: Invocation.Flag)] = []
        for flag in invocation.flags {
            if let field = form.fields.first(where: { !$0.isSecret && $0.flags.contains(flag.name) }) {
                let text = try Self.text(of: flag, for: field, context)
                if let earlier = texts[field.apiKey] {
                    guard field.kind == .choices else {
                        let other = field.flags.first { $0 != flag.name } ?? flag.name
                        throw .flagsExclude(flag: flag.name, other: other)
                    }
                    texts[field.apiKey] = earlier + String(FieldValue.separator).utf8 + text
                } else {
                    texts[field.apiKey] = text
                }
            } else if let (field, source) = SecretSource.named(by: flag.name, in: form) {
                guard !given.contains(where: { $0.field.apiKey == field.apiKey }) else {
                    throw .secretTwice(flag: field.flag)
                }
                given.append((field, source, flag))
            }
        }
        let operand = invocation.operandField(of: form)
        if let key = operand?.key, let word = invocation.operands.first {
            if texts[key] != nil, let field = form.field(key) { throw .flagTwice(flag: field.flag) }
            texts[key] = word.bytes
        }
        let inputs = texts.mapValues { FieldInput.bytes(Secret(copying: $0.span)) }
        self.init(inputs.merging(try Self.secrets(given, context).mapValues { .bytes($0) }) { $1 })
        self.operand = operand
    }

    /// The canonical text of a flag's value. The flags of a boolean have no value. A flag for several lines can refer
    /// to a file, whose final newline is ignored.
    private static func text(
        of flag: Invocation.Flag, for field: any FormField, _ context: CommandContext
    ) throws(ToolFailure) -> [UInt8] {
        switch field.kind {
        case .boolean: return Array(FieldValue.boolean(flag.name == field.flag).text.utf8)
        case .multiline where flag.name != field.flag:
            guard let path = flag.value?.path else { throw .badValue("--" + flag.name, .path) }
            do throws(FileError) {
                let file = path == "-" ? try GivenFile(inherited: STDIN_FILENO) : try GivenFile(at: path)
                var bytes = try InputFiles.bytes(file, limit: field.maximumBytes + 2)
                if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
                return bytes
            } catch {
                throw .reading(path, error)
            }
        case .text, .multiline, .choice, .choices, .date: return flag.value?.bytes ?? []
        }
    }

    private static func secrets(
        _ given: [(field: any FormField, source: SecretSource, flag: Invocation.Flag)], _ context: CommandContext
    ) throws(ToolFailure) -> [FieldKey: Secret] {
        var secrets: [FieldKey: Secret] = [:]
        for (field, source, flag) in given where source != .stdin {
            let file = try source.file(named: flag, context)
            var lines = SecretLines(file, named: "--" + flag.name)
            secrets[field.apiKey] = try lines.line(maximumBytes: field.maximumBytes, flag: "--" + flag.name)
        }
        guard let first = given.first(where: { $0.source == .stdin }) else { return secrets }
        guard isatty(STDIN_FILENO) == 0 else {
            throw .secretFromTerminal(flag: "--" + first.flag.name)
        }
        var lines = SecretLines(try first.source.file(named: first.flag, context), named: "--" + first.flag.name)
        for (field, source, flag) in given where source == .stdin {
            secrets[field.apiKey] = try lines.line(maximumBytes: field.maximumBytes, flag: "--" + flag.name)
        }
        try lines.refuseRest()
        return secrets
    }

    init(_ inputs: [FieldKey: FieldInput] = [:], given: Set<FieldKey>? = nil) {
        self.inputs = inputs
        self.given = given ?? Set(inputs.keys)
    }

    var isEmpty: Bool { inputs.isEmpty }

    /// These values, with those in `others` for fields that have none.
    func over(_ others: [FieldKey: FieldValue]) -> FieldFlags {
        var values = FieldFlags(others.mapValues { .text($0.text) }.merging(inputs) { $1 }, given: given)
        values.operand = operand
        return values
    }

    func has(_ key: FieldKey) -> Bool { inputs[key] != nil }

    /// The bytes of a value; nil if there is no flag for it.
    func bytes(_ key: FieldKey) -> Secret? {
        guard case .bytes(let bytes) = inputs[key] else { return nil }
        return bytes
    }
}

/// The form field that an operand fills in, and the operand's name in the help.
struct OperandField: Sendable {
    let key: FieldKey
    let name: String
}

extension Invocation {
    /// The field of `form` that the operand fills in, even if it is missing; nil if there is none.
    func operandField(of form: Form) -> OperandField? {
        guard let operand = command.operand, let key = command.operandField(of: form) else { return nil }
        let field = OperandField(key: key, name: operand.name)
        guard let given = operands.first else { return command.keepsFlagOfOperand ? nil : field }
        guard given.bytes.contains(UInt8(ascii: "@")), form.field(.username)?.isOptional == true,
            let email = form.field(.email), value(email.flag) == nil
        else { return field }
        return OperandField(key: .email, name: operand.name)
    }
}
