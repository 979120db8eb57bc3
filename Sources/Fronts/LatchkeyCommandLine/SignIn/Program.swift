import Glibc
import LatchkeySystem

/// Your program on the command line: its flags, its help, and how it ends.
///
/// ```swift
/// let program = Program(
///     summary: "Keep notes", version: "1.0", flags: [.init("log", "FILE", "Write every event to a new FILE")])
/// let flags = program.arguments()
/// let person = await SignedIn.atTerminal()
/// …
/// program.end(.notAllowed, saying: "The session has ended")
/// ```
public struct Program: Sendable {
    /// A flag, perhaps with a value: `--log FILE` or `--log=FILE`, `--bell`.
    public struct Flag: Sendable {
        let name: String
        let value: String?
        let help: String

        /// - Parameters:
        ///   - name: the name without the hyphens.
        ///   - value: what the help calls the value, such as `FILE`; nil if the flag has none.
        ///   - help: what the flag does, in one line.
        public init(_ name: String, _ value: String?, _ help: String) {
            self.name = name
            self.value = value
            self.help = help
        }
    }

    /// The name that the user started the program by.
    public let name: String
    private let summary: String
    private let version: String
    private let flags: [Flag]

    /// - Parameters:
    ///   - summary: what the program does, in one line.
    ///   - flags: the program's own; `--help`, `-h` and `--version` belong to every program.
    public init(summary: String, version: String, flags: [Flag] = []) {
        name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
        self.summary = summary
        self.version = version
        self.flags = flags
    }

    /// The values of the flags that were given, by name; empty for a flag without one. Call it first in `main`: it ends
    /// the process after `--help` and `--version`, and with status 64 and a message for an argument that the program
    /// does not know.
    public func arguments() -> [String: String] {
        switch reading(Array(CommandLine.arguments.dropFirst())) {
        case .values(let values): return values
        case .help: end(writing: help)
        case .version: end(writing: [name + " " + version])
        case .refused(let reason): end(.usage, saying: reason + ". " + name + " --help shows all flags")
        }
    }

    /// Ends the process after writing the program's name and `sentence` to standard error.
    public func end(_ status: ExitStatus, saying sentence: String? = nil) -> Never {
        if let sentence {
            for line in sentence.split(separator: "\n") { Output().problem(name + ": " + line) }
        }
        exit(status.rawValue)
    }

    private func end(writing lines: [String]) -> Never {
        do throws(ToolFailure) { try Output().result(lines) } catch { exit(error.status.rawValue) }
        exit(ExitStatus.done.rawValue)
    }

    enum Reading: Equatable {
        case values([String: String])
        case help, version
        case refused(String)
    }

    func reading(_ words: [String]) -> Reading {
        var values: [String: String] = [:]
        var rest = words[...]
        while let word = rest.popFirst() {
            if ["--help", "-h"].contains(word) { return .help }
            if word == "--version" { return .version }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard word.hasPrefix("--"), let flag = flags.first(where: { "--" + $0.name == parts[0] }) else {
                return .refused("Unknown argument " + word)
            }
            let value: String
            switch (flag.value, parts.count == 2) {
            case (nil, false): value = ""
            case (nil, true): return .refused("--\(flag.name) has no value")
            case (_?, true): value = String(parts[1])
            case (let name?, false):
                guard let next = rest.popFirst() else { return .refused("--\(flag.name) needs \(name)") }
                value = next
            }
            guard values.updateValue(value, forKey: flag.name) == nil else {
                return .refused("--\(flag.name) was given twice")
            }
        }
        return .values(values)
    }

    private var help: [String] {
        let rows =
            flags.map { ("--\($0.name)" + ($0.value.map { " " + $0 } ?? ""), $0.help) } + [
                ("-h, --help", "Show this help"), ("--version", "Show the version"),
            ]
        let width = rows.map(\.0.count).max() ?? 0
        return ["Usage: \(name)" + (flags.isEmpty ? "" : " [FLAG]…"), summary, ""]
            + rows.map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 }
    }
}
