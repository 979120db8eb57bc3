import LatchkeyAccounts
import LatchkeySystem

/// Passes each message to the standard input of a program such as `sendmail -t`.
struct ProgramMailer: Mailer {
    /// The program's name or absolute path, and its arguments.
    let command: [String]
    /// The sender in the format of RFC 5322.
    let sender: String
    /// The home folder, which may contain the program's configuration; nil if there is none.
    let home: String?
    /// Waiting for the program blocks, so it runs on these threads.
    let threads: WorkerThreads
    /// The time limit for the program.
    var limit = Duration.seconds(30)

    func deliver(_ message: OutboxMessage) async throws(MailerError) {
        // Responses do not wait for the program (BackgroundDelivery), so a decoy need not run it.
        guard message.recipient != nil else { return }
        let text = MailText.text(of: message, from: sender)
        guard let program = ChildProgram(command, environment: home.map { ["HOME": $0] } ?? [:]) else {
            throw .missing(program: command.first ?? "")
        }
        let result: Result<ChildProgram.Ending, SystemError>
        do throws(WorkerThreads.Refusal) {
            result = try await threads.run { [limit] in
                Result { () throws(SystemError) in try program.run(reading: text.utf8Span.span, within: limit) }
            }
        } catch {
            throw .system(code: 0)
        }
        switch result {
        case .success(.exited(status: 0)): return
        case .success(.exited(let status)): throw .exited(status: status)
        case .success(.killed(let signal)): throw .killed(signal: signal)
        case .success(.timedOut): throw .timedOut
        case .failure(let error): throw .system(code: error.code)
        }
    }
}
