/// The exit codes of a command that implements an external interface.
///
/// Such a command prints nothing on standard output, which belongs to another program. For a negative verdict it prints
/// no message either.
struct ExternalExitCodes: Sendable {
    /// Each exit code with its meaning, for the help.
    let rows: [(Int32, String)]
    let code: @Sendable (ExitStatus) -> Int32

    /// The exit codes that <http://cr.yp.to/checkpwd/interface.html> defines.
    static let checkpassword = ExternalExitCodes(rows: [
        (1, "the answer is no: wrong credentials, a second factor, a password to change first, or an unsafe name"),
        (2, "wrong usage: no PROGRAM, an unknown flag, or invalid data on descriptor 3"),
        (111, "no answer now: throttled, or an error with the store, the settings or PROGRAM"),
    ]) { status in
        switch status {
        case .no: 1
        case .usage, .data: 2
        case .done, .noInput, .unavailable, .software, .system, .cannotCreate, .inputOutput, .temporary, .exists,
            .notAllowed, .configuration, .cannotExecute, .programNotFound:
            111
        }
    }
}
