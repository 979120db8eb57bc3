import Glibc
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// The values of a form's fields that flags give directly, or read from a file or descriptor.
struct FieldFlags: Sendable {
    /// As bytes, because they need not be UTF-8.
    let texts: [FieldKey: [UInt8]]
    let secrets: [FieldKey: Secret]

    /// Reads the values of all flags. Lines of standard input belong to the flags in their order, and no line may be
    /// left over.
    init(of context: CommandContext, form: Form) throws(ToolFailure) {
        try SecretEnvironment.refuse(for: form.fields, in: context.environment)
        let invocation = context.invocation
        var texts: [FieldKey: [UInt8]] = [:]
        var given: [(field: any FormTextField, source: SecretSource, flag: Invocation.Flag)] = []
        for flag in invocation.flags {
            if let field = form.fields.first(where: { !$0.isSecret && $0.flag == flag.name }) {
                texts[field.apiKey] = flag.value?.bytes
            } else if let (field, source) = SecretSource.named(by: flag.name, in: form) {
                guard !given.contains(where: { $0.field.apiKey == field.apiKey }) else {
                    throw .secretTwice(flag: field.flag)
                }
                given.append((field, source, flag))
            }
        }
        if let field = invocation.command.operandField(of: form), let operand = invocation.operands.first {
            let isAddress = operand.bytes.contains(UInt8(ascii: "@")) && texts[.email] == nil
            texts[isAddress && form.field(.username)?.isOptional == true ? .email : field] = operand.bytes
        }
        self.texts = texts
        secrets = try Self.secrets(given, context)
    }

    private static func secrets(
        _ given: [(field: any FormTextField, source: SecretSource, flag: Invocation.Flag)], _ context: CommandContext
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

    init(texts: [FieldKey: [UInt8]], secrets: [FieldKey: Secret]) {
        self.texts = texts
        self.secrets = secrets
    }

    var isEmpty: Bool { texts.isEmpty && secrets.isEmpty }

    /// These values, and `others` for fields that have none.
    func over(_ others: [FieldKey: String]) -> FieldFlags {
        FieldFlags(texts: others.mapValues { Array($0.utf8) }.merging(texts) { $1 }, secrets: secrets)
    }

    func has(_ key: FieldKey) -> Bool { texts[key] != nil || secrets[key] != nil }

    /// Sets the values of the fields of `form` in `filled`.
    func fill(_ filled: inout FormValues, of form: Form) {
        for field in form.fields {
            if let bytes = texts[field.apiKey] { _ = filled.set(bytes: bytes.span, for: field) }
            if let secret = secrets[field.apiKey] { secret.withBytes { _ = filled.set(bytes: $0, for: field) } }
        }
    }
}
