import LatchkeyAccounts
import LatchkeySystem

/// Hands each message to a program such as `sendmail -t`, on its standard input.
struct ProgramMailer: Mailer {
    /// The program's name or absolute path, and its arguments.
    let command: [String]
    /// In the format of RFC 5322.
    let sender: String
    /// The home folder, where the program may have its configuration; nil if there is none.
    let home: String?
    /// Waits block, so they run on these threads.
    let threads: WorkerThreads
    /// The longest time that the program may run.
    var limit = Duration.seconds(30)

    func deliver(_ message: OutboxMessage) async throws(MailerError) {
        // No response waits for the program (BackgroundDelivery), so a decoy needs none.
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
