import Glibc
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// A way in which a secret comes that is not the command line, where every user of the machine could read it.
enum SecretSource: String, CaseIterable, Sendable {
    case stdin
    case file
    case fd

    func flag(of field: any FormTextField) -> String { field.flag + "-" + rawValue }

    /// Which field a flag gives, and how; nil where it gives no secret.
    static func named(by flag: String, in form: Form) -> (any FormTextField, SecretSource)? {
        for field in form.fields where field.isSecret {
            if let source = allCases.first(where: { $0.flag(of: field) == flag }) { return (field, source) }
        }
        return nil
    }

    /// What the flag's value is called in help.
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

    /// What `flag` names, opened.
    func file(named flag: Invocation.Flag, _ context: CommandContext) throws(ToolFailure) -> GivenFile {
        let name = "--" + flag.name
        switch self {
        case .stdin: return try Self.open(STDIN_FILENO, name)
        case .file:
            guard let path = flag.value?.path else { throw .badPath(name: name) }
            return try GivenFiles.open(path, context.output, context.messages)
        case .fd:
            guard let number = flag.value?.wholeNumber.flatMap(Int32.init(exactly:)) else {
                throw .badNumber(name: name)
            }
            return try Self.open(number, name)
        }
    }

    /// One line of standard input, for a command that reads nothing else.
    static func line(maximumBytes: Int, named name: String) throws(ToolFailure) -> Secret {
        var lines = SecretLines(try open(STDIN_FILENO, name), named: name)
        let line = try lines.line(maximumBytes: maximumBytes, flag: name)
        try lines.refuseRest()
        return line
    }

    private static func open(_ descriptor: Int32, _ name: String) throws(ToolFailure) -> GivenFile {
        do throws(FileError) {
            return try GivenFile(inherited: descriptor)
        } catch {
            throw .reading(name, error)
        }
    }
}
