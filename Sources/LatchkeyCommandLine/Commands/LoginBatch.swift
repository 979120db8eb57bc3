import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyHashing
import LatchkeyNetworking
import LatchkeySecrets
import LatchkeyText

/// `login --batch`: judges each line of a file as a login of its own, several at once, and answers in the lines' order. No
/// line can stop it; a store that cannot be used does.
///
/// What is read waits in no list: a line is taken when there is somebody to judge it, so that a file may be endless.
struct LoginBatch {
    let context: CommandContext

    /// So many hashes, each of an eighth of a second and two at a time, still end within their patience.
    private static let maximumJobs = 64
    /// Verdicts that wait for an earlier one, for each job.
    private static let verdictsPerJob = 4

    func perform() async throws(ToolFailure) {
        let path = try context.batchPath()
        try refuseFields()
        guard path != "-" || isatty(STDIN_FILENO) == 0 else {
            throw .secretFromTerminal(flag: "--batch")
        }
        let jobs = try context.invocation.number("jobs", orElse: 1, in: 1...Self.maximumJobs)
        var lines = try InputLines.of(path, context)
        let installation = try await Installation.open(context, creating: false)
        let stopwatch = Stopwatch()
        let judged = await withTaskGroup(of: (Int, Verdict).self) { group -> Result<Tally, ToolFailure> in
            do throws(ToolFailure) {
                return .success(try await judge(&lines, jobs, installation, &group))
            } catch {
                group.cancelAll()
                return .failure(error)
            }
        }
        let tally = try judged.get()
        await installation.service.deliverMessages()
        try context.output.figures(count: tally.count, succeeded: tally.succeeded, stopwatch, context.messages)
    }

    private func refuseFields() throws(ToolFailure) {
        let fields = context.form?.fields ?? []
        try SecretEnvironment.refuse(for: fields, in: context.environment)
        let flags = Set(fields.flatMap(FlagSpec.flags).map(\.name))
        guard let flag = context.invocation.flags.first(where: { flags.contains($0.name) }) else { return }
        throw .batchAlone(flag: flag.name)
    }

    private struct Tally {
        var count = 0
        var succeeded = 0
    }

    private func judge(
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
            // Whoever waits for these before they send more must not wait for ever.
            if !lines.isReady { while running > 0 { try await settle() } }
        } while try lines.refill()
        while running > 0 { try await settle() }
        return tally
    }

    /// Whether somebody would have been let in.
    private func tell(_ verdict: Verdict, line: Int) throws(ToolFailure) -> Bool {
        let answer: (ok: Bool, status: Int, code: String, retryAfter: Int?)
        switch verdict {
        case .senseless: answer = (false, ExitStatus.usage.httpStatus, "bad_request", nil)
        case .judged(let response):
            var seconds: Int?
            if case .throttled(let retryAfter) = response.outcome { seconds = retryAfter.wholeSecondsRoundedUp }
            answer = (response.outcome == .success, response.status, response.code.rawValue, seconds)
        case .failed(let failure): throw failure
        }
        guard context.output.json else {
            try context.output.result("\(line)  \(answer.code)")
            return answer.ok
        }
        var members: [(key: String, value: JSONValue)] = [
            ("line", .integer(line)), ("ok", .bool(answer.ok)), ("status", .integer(answer.status)),
            ("code", .string(answer.code)),
        ]
        if let seconds = answer.retryAfter { members.append(("retry_after", .integer(seconds))) }
        try context.output.result(.object(members))
        return answer.ok
    }
}

/// Who a line says that they are. What is longer than its field can hold is nobody's, and is not carried on.
private struct Attempt: Sendable {
    let identifier: String?
    let password: Secret?

    init?(_ line: InputLines.Line, _ bytes: Span<UInt8>) {
        guard line == .whole else { return nil }
        let members = SecretLine(bytes, members: ["username", "password"], needsID: false)
        guard members.isSensible, let name = members["username"], let password = members["password"] else { return nil }
        identifier =
            name.count > AccountLookup.maximumBytes
            ? nil : name.withBytes { try? String(copying: UTF8Span(validating: $0)) }
        self.password = password.count > OpaqueString.maximumByteCount ? nil : password
    }
}

private enum Verdict: Sendable {
    case judged(NetworkResponse)
    /// The line is none.
    case senseless
    /// There is no verdict, and for the next line there would be none either.
    case failed(ToolFailure)

    init(on attempt: Attempt?, by installation: Installation) async {
        guard let attempt else {
            self = .senseless
            return
        }
        do throws(AccountError) {
            let account = try await installation.service.verifyCredentials(
                identifier: attempt.identifier, password: attempt.password)
            self = .judged(account.mustChangePassword ? .changeRequired() : .success())
        } catch {
            let response = NetworkResponse(error)
            self = response.outcome == .unavailable ? .failed(installation.failure(error)) : .judged(response)
        }
    }
}

extension CommandContext {
    /// The path that `--batch` gives.
    ///
    /// - Throws: status 64 if it is missing or not a path.
    func batchPath() throws(ToolFailure) -> String {
        guard let flag = invocation.value("batch") else { throw .batchMissing }
        guard let path = flag.path else { throw .badPath(name: "--batch") }
        return path
    }
}
