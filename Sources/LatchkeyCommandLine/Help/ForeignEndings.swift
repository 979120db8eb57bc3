/// How a command ends that keeps to an interface of others: by that interface's statuses, with nothing on standard output,
/// which is another program's, and without a word where the answer is no.
struct ForeignEndings: Sendable {
    /// What `--help` says of each status.
    let rows: [(Int32, String)]
    let status: @Sendable (ExitStatus) -> Int32

    /// Of <http://cr.yp.to/checkpwd/interface.html>.
    static let checkpassword = ForeignEndings(rows: [
        (1, "the answer is no: wrong credentials, or a change of password is demanded first"),
        (2, "used wrongly: no PROGRAM, an unknown flag, or not what the interface asks for on descriptor 3"),
        (111, "no answer now: throttled, or something went wrong with the store, the settings or PROGRAM"),
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
