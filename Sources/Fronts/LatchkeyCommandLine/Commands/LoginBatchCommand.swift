import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHashing
import LatchkeyNetworking
import LatchkeyProvisioning
import LatchkeySecrets
import LatchkeyText

/// `login --batch`: verifies each line of a file as a login, several in parallel, and prints the verdicts in the order
/// of the lines. It continues after invalid lines, but stops if the store fails.
///
/// It reads a line only when a job is free, so that a file of any length needs the same memory.
struct LoginBatchCommand {
    let context: CommandContext

    /// With this many hashes of an eighth of a second, two at a time, each login still completes before it times out.
    private static let maximumJobs = 64
    /// The number of verdicts per job that may wait for earlier lines.
    private static let verdictsPerJob = 4

    func run() async throws(ToolFailure) -> CommandResult {
        let path = try context.batchPath()
        try refuseFields()
        guard path != "-" || isatty(STDIN_FILENO) == 0 else {
            throw .secretFromTerminal(flag: "--batch")
        }
        let jobs = try context.invocation.number("jobs", orElse: 1, in: 1...Self.maximumJobs)
        var lines = try InputLines.of(path, context)
        let installation = try await Installation.open(context, creating: false)
        let stopwatch = Stopwatch()
        let verified = await withTaskGroup(of: (Int, Verdict).self) { group -> Result<Tally, ToolFailure> in
            do throws(ToolFailure) {
                return .success(try await verify(&lines, jobs, installation, &group))
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        let tally = try verified.get()
        await installation.service.deliverMessages()
        try context.output.figures(count: tally.count, succeeded: tally.succeeded, stopwatch, context.messages)
        return .printed
    }

    private func refuseFields() throws(ToolFailure) {
        let fields = context.form?.fields ?? []
        try SecretEnvironment.refuse(for: fields, in: context.environment)
        guard context.invocation.operands.isEmpty else {
            throw .operandTooMany(command: "latchkey login --batch")
        }
        let flags = Set(fields.flatMap(FlagSpec.flags).map(\.name) + ["print-token"])
        guard let flag = context.invocation.flags.first(where: { flags.contains($0.name) }) else { return }
        throw .batchAlone(flag: flag.name)
    }

    private struct Tally {
        var count = 0
        var succeeded = 0
    }

    private func verify(
        _ lines: inout InputLines, _ jobs: Int, _ installation: Installation, _ group: inout TaskGroup<(Int, Verdict)>
    ) async throws(ToolFailure) -> Tally {
        var tally = Tally()
        var verdicts = AnswersInOrder<Verdict>()
        var running = 0
        func settle() async throws(ToolFailure) {
            guard let (index, verdict) = await group.next() else { return }
            running -= 1
            verdicts.put(verdict, of: index)
            while let verdict = verdicts.take() {
                if try tell(verdict, line: verdicts.given) { tally.succeeded += 1 }
            }
        }
        repeat {
            var attempt: Attempt?
            while lines.take({ line, bytes in attempt = Attempt(line, bytes) }) {
                while running == jobs || tally.count - verdicts.given >= Self.verdictsPerJob * jobs {
                    try await settle()
                }
                let (index, asked) = (tally.count, attempt)
                group.addTask { (index, await Verdict(on: asked, by: installation)) }
                tally.count += 1
                running += 1
            }
            // The sender may wait for these verdicts before it sends more lines.
            if !lines.isReady { while running > 0 { try await settle() } }
        } while try lines.refill()
        while running > 0 { try await settle() }
        return tally
    }

    /// Prints one verdict.
    ///
    /// - Returns: whether the login was successful.
    private func tell(_ verdict: Verdict, line: Int) throws(ToolFailure) -> Bool {
        let (ok, status, code, id, seconds): (Bool, Int, String, String?, Int?) =
            switch verdict {
            case .malformed: (false, ExitStatus.usage.httpStatus, "bad_request", nil, nil)
            case .verified(let response):
                (
                    response.outcome == .success, response.status, response.code.rawValue, response.account?.id,
                    response.secondsToWait
                )
            case .failed(let failure): throw failure
            }
        var members: CommandResult.Members = [
            ("line", .integer(line)), ("ok", .bool(ok)), ("status", .integer(status)), ("code", .string(code)),
        ]
        if let id { members.append(("id", .string(id))) }
        if let seconds { members.append(("retry_after", .integer(seconds))) }
        try context.output.row("\(line)  \(code)", json: .object(members))
        return ok
    }
}

/// The login on one line. A value longer than its field allows matches no account and is dropped.
private struct Attempt: Sendable {
    let identifier: String?
    let password: Secret?

    init?(_ line: InputLines.Line, _ bytes: Span<UInt8>) {
        guard line == .whole else { return nil }
        let members = SecretLine(bytes, members: ["username", "password"], needsID: false)
        guard members.isValid, let name = members["username"], let password = members["password"] else { return nil }
        identifier =
            name.count > AccountLookup.maximumBytes
            ? nil : name.withBytes { try? String(copying: UTF8Span(validating: $0)) }
        self.password = password.count > OpaqueString.maximumByteCount ? nil : password
    }
}

private enum Verdict: Sendable {
    case verified(NetworkResponse)
    case malformed
    /// No verdict is possible for this line and all later ones.
    case failed(ToolFailure)

    init(on attempt: Attempt?, by installation: Installation) async {
        guard let attempt else {
            self = .malformed
            return
        }
        do throws(AccountError) {
            let account = try await installation.service.verifyCredentials(
                identifier: attempt.identifier, password: attempt.password)
            let summary = AccountSummary(account)
            self = .verified(account.mustChangePassword ? .changeRequired(summary) : .success(summary))
        } catch {
            let response = NetworkResponse(error)
            self = response.outcome == .unavailable ? .failed(installation.failure(error)) : .verified(response)
        }
    }
}

extension CommandContext {
    /// The path given for `--batch`.
    ///
    /// - Throws: status 64 if it is missing or not a valid path.
    package func batchPath() throws(ToolFailure) -> String {
        guard let flag = invocation.value("batch") else { throw .batchMissing }
        guard let path = flag.path else { throw .badValue("--batch", .path) }
        return path
    }
}

/// Puts verdicts that arrive in any order into the order of their lines, counted from 0.
struct AnswersInOrder<Answer> {
    private var early: [Int: Answer] = [:]

    /// The number of verdicts taken so far.
    private(set) var given = 0

    mutating func put(_ answer: Answer, of question: Int) { early[question] = answer }

    /// The next verdict; nil if it has not arrived.
    mutating func take() -> Answer? {
        guard let answer = early.removeValue(forKey: given) else { return nil }
        given += 1
        return answer
    }
}
