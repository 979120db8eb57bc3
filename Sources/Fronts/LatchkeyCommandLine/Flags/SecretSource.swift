import Glibc
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// A way to give a secret other than an argument, which every user of the machine could read.
enum SecretSource: String, CaseIterable, Sendable {
    case stdin
    case file
    case fd

    func flag(of field: any FormField) -> String { field.flag + "-" + rawValue }

    /// The secret field and the source that a flag specifies; nil if the flag is not for a secret.
    static func named(by flag: String, in form: Form) -> (any FormField, SecretSource)? {
        for field in form.fields where field.isSecret {
            if let source = allCases.first(where: { $0.flag(of: field) == flag }) { return (field, source) }
        }
        return nil
    }

    /// The name of the flag's value in help.
    var valueName: String? {
        switch self {
        case .stdin: nil
        case .file: "PATH"
        case .fd: "N"
        }
    }

    var summary: String {
        switch self {
        case .stdin: "one line of standard input"
        case .file: "the first line of a file"
        case .fd: "one line of an open descriptor"
        }
    }

    /// Opens the file or descriptor given for `flag`.
    func file(named flag: Invocation.Flag, _ context: CommandContext) throws(ToolFailure) -> GivenFile {
        let name = "--" + flag.name
        switch self {
        case .stdin: return try InputFiles.inherited(named: name)
        case .file:
            guard let path = flag.value?.path else { throw .badValue(name, .path) }
            return try InputFiles.open(path, context.output, context.messages)
        case .fd:
            guard let number = flag.value?.wholeNumber.flatMap(Int32.init(exactly:)) else {
                throw .badValue(name, .wholeNumber)
            }
            return try InputFiles.inherited(number, named: name)
        }
    }

    /// One line of standard input, for a command that reads nothing else.
    static func line(maximumBytes: Int, named name: String) throws(ToolFailure) -> Secret {
        var lines = SecretLines(try InputFiles.inherited(named: name), named: name)
        let line = try lines.line(maximumBytes: maximumBytes, flag: name)
        try lines.refuseRest()
        return line
    }
}

/// Refuses secrets in environment variables. Other processes of the user can read them, and child processes inherit
/// them.
enum SecretEnvironment {
    /// - Throws: status 64 with the name of the variable, but never its value.
    static func refuse(for fields: [any FormField], in environment: ProcessEnvironment) throws(ToolFailure) {
        for field in fields where field.isSecret {
            for flag in refusedFlags(of: field) {
                let name = "LATCHKEY_" + String(flag.uppercased().map { $0 == "-" ? "_" : $0 })
                guard environment.bytes(name) == nil else {
                    throw flag == field.flag
                        ? .secretEnvironment(name: name, flag: field.flag) : .hashEnvironment(name: name)
                }
            }
        }
    }

    /// Flags that users might try: the secret itself, or its hash, from which an attacker could guess the secret.
    static func refusedFlags(of field: any FormField) -> [String] { [field.flag, field.flag + "-hash"] }
}
