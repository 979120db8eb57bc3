import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySystem

/// The rows of a file, judged on several cores and handed out in the order in which they stand there. While a page is looked
/// at, each reader judges its next.
struct RowPages: ~Copyable {
    /// More readers than that would only read the file more often.
    private static let maximumReaders = 8

    private let readers: [PageReader]
    private var ahead: [Task<PageReader.Page, Never>]
    private var turn = 0
    private var isAtEnd = false
    private var failure: ToolFailure?

    /// - Parameter rowsPerPage: between two pages an interruption is noticed.
    /// - Throws: status 71 where the system has no threads for the readers.
    init(
        of file: RereadableFile, _ options: ImportOptions, _ form: Form, _ service: AccountService,
        readers count: Int = min(Argon2Hasher.cores, maximumReaders), rowsPerPage: Int = 250
    ) throws(ToolFailure) {
        var readers: [PageReader] = []
        do throws(SystemError) {
            for first in 0..<count {
                readers.append(
                    try PageReader(
                        first: first, step: count, rowsPerPage: rowsPerPage, of: file, options, form, service))
            }
        } catch {
            throw ToolFailure(AccountError.outOfMemory)
        }
        self.readers = readers
        ahead = readers.map { reader in Task { await reader.next() } }
    }

    /// The next rows, which may be none; nil at the end.
    ///
    /// - Throws: what the file cannot be read on for, behind all rows before it.
    mutating func next() async throws(ToolFailure) -> [PageReader.Page.Row]? {
        if let failure { throw failure }
        guard !isAtEnd else { return nil }
        let page = await ahead[turn].value
        (isAtEnd, failure) = (page.isLast, page.failure)
        let reader = readers[turn]
        if !isAtEnd { ahead[turn] = Task { await reader.next() } }
        turn = (turn + 1) % readers.count
        return page.rows
    }
}
