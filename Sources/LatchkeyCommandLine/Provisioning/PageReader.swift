import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

/// Judges some of the pages of a file, on a thread of its own.
///
/// It goes through the whole file all the same: to find where a row ends takes little beside judging it, and in CSV nothing
/// else tells where one begins.
actor PageReader {
    /// Rows one after the other.
    struct Page: Sendable {
        enum Row: Sendable {
            case account(CheckedAccount, at: RowPlace)
            case refused([RowProblem])
        }

        var rows: [Row] = []
        /// Whether there is nothing behind them, or nothing that can be read.
        var isLast = false
        /// Why not, where it cannot be read.
        var failure: ToolFailure?
    }

    private nonisolated let thread: SerialThread
    private var reader: RowReader
    private var hasBegun = false
    /// Rows of others before the next page, and between two pages.
    private var skipping: Int
    private let step: Int
    private let rowsPerPage: Int

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - first: its first page, from 0.
    ///   - step: how many readers share the file.
    init(
        first: Int, step: Int, rowsPerPage: Int, of file: RereadableFile, _ options: ImportOptions, _ form: Form,
        _ service: AccountService
    ) throws(SystemError) {
        thread = try SerialThread()
        reader = RowReader(file, options, form, service)
        skipping = first * rowsPerPage
        self.step = step
        self.rowsPerPage = rowsPerPage
    }

    func next() -> Page {
        var page = Page()
        do throws(ToolFailure) {
            try read(&page)
        } catch {
            page.isLast = true
            page.failure = error
        }
        return page
    }

    private func read(_ page: inout Page) throws(ToolFailure) {
        if !hasBegun, let problem = try reader.readHeader() {
            page.rows = [.refused([problem])]
            page.isLast = true
            return
        }
        hasBegun = true
        for _ in 0..<skipping where try !reader.skip() {
            page.isLast = true
            return
        }
        skipping = (step - 1) * rowsPerPage
        page.rows.reserveCapacity(rowsPerPage)
        while page.rows.count < rowsPerPage {
            switch try reader.next() {
            case .account(let account): page.rows.append(.account(account, at: reader.place))
            case .refused(let problems): page.rows.append(.refused(problems))
            case nil:
                page.isLast = true
                return
            }
        }
    }
}
