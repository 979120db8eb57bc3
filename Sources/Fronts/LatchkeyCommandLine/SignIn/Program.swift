import Glibc
public import LatchkeyAccounts
import LatchkeySystem

/// Your program on the command line: its flags, its help and its exit statuses.
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
    /// A flag, with or without a value: `--log FILE`, `--log=FILE`, `--bell`.
    public struct Flag: Sendable {
        let name: String
        let value: String?
        let help: String

        /// - Parameters:
        ///   - name: the name without hyphens.
        ///   - value: the name of the value in the help, such as `FILE`; nil for a flag without a value.
        ///   - help: one line that describes the flag.
        public init(_ name: String, _ value: String?, _ help: String) {
            self.name = name
            self.value = value
            self.help = help
        }
    }

    /// The name with which the user started the program.
    public let name: String
    private let summary: String
    private let version: String
    private let flags: [Flag]

    /// - Parameters:
    ///   - summary: one line that describes the program.
    ///   - flags: your program's flags. Every program also has `--help`, `-h` and `--version`.
    ///   - version: the version that `--version` prints.
    public init(summary: String, version: String, flags: [Flag] = []) {
        name = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
        self.summary = summary
        self.version = version
        self.flags = flags
    }

    /// Returns the values of the given flags by name, with an empty string for a flag without a value. Call it first in
    /// `main`. It ends the process after `--help` and `--version`, and with status 64 and a message for an unknown
    /// argument.
    public func arguments() -> [String: String] {
        switch reading(Array(CommandLine.arguments.dropFirst())) {
        case .values(let values): return values
        case .help: end(writing: help)
        case .version: end(writing: [name + " " + version])
        case .refused(let reason): end(.usage, saying: reason + ". " + name + " --help shows all flags")
        }
    }

    /// Writes the program's name and `sentence` to standard error and ends the process.
    public func end(_ status: ExitStatus, saying sentence: String? = nil) -> Never {
        if let sentence {
            for line in sentence.split(separator: "\n") { Output().problem(name + ": " + line) }
        }
        exit(status.rawValue)
    }

    /// Waits for `work`, for example until a database is open. If it takes longer than a second, reports on standard error
    /// that another program is using the file at `path`.
    public func waiting<Value: Sendable>(
        for path: String, _ work: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        try await waiting(
            for: path, pausing: { try await Task.sleep(for: .seconds(1)) }, reporting: { Output().note($0) }, work)
    }

    /// - Parameters:
    ///   - pause: waits as long as the user does without a message.
    ///   - report: writes the message.
    func waiting<Value: Sendable>(
        for path: String, pausing pause: @escaping @Sendable () async throws -> Void,
        reporting report: @escaping @Sendable (String) -> Void, _ work: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let reporting = Task.detached { [name] in
            try await pause()
            report("\(name): Waiting for another program, which is using \(path)")
        }
        defer { reporting.cancel() }
        return try await work()
    }

    /// Ends the process with status 77, because the user's session has ended.
    ///
    /// - Parameter keepingDraft: whether your program has stored unsaved text as a draft. The message then mentions it.
    public func endWithSession(keepingDraft: Bool = false) -> Never {
        end(.notAllowed, saying: "The session has ended" + (keepingDraft ? ". What you typed is kept as a draft" : ""))
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
