package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySystem

/// Checks the rows of a file on several threads and returns them in the order of the file.
///
/// Every reader prepares its next two pages while the caller works on the current one, so that no reader waits for
/// another.
package struct RowPages: ~Copyable {
    /// More readers than this only read the file more often.
    private static let maximumReaders = 8

    private let readers: [PageReader]
    /// The pages that each reader prepares, the next one first.
    private var ahead: [[Task<PageReader.Page, Never>]]
    private var turn = 0
    private var isAtEnd = false
    private var failure: ProvisioningError?

    /// - Parameters:
    ///   - rowsPerPage: the caller notices an interruption between two pages.
    ///   - readers: the number of threads; by default ``ImportOptions/jobs``, at most 8.
    /// - Throws: ``AccountError/outOfMemory`` if the system has no threads left.
    package init(
        of file: RereadableFile, _ options: ImportOptions, _ form: Form, _ service: AccountService,
        readers count: Int? = nil, rowsPerPage: Int = 1000
    ) throws(ProvisioningError) {
        let count = count ?? min(options.jobs, Self.maximumReaders)
        var readers: [PageReader] = []
        do throws(SystemError) {
            for first in 0..<count {
                readers.append(
                    try PageReader(
                        first: first, step: count, rowsPerPage: rowsPerPage, of: file, options, form, service))
            }
        } catch {
            throw .account(.outOfMemory)
        }
        self.readers = readers
        ahead = readers.map { reader in
            let first = Self.page(of: reader, after: nil)
            return [first, Self.page(of: reader, after: first)]
        }
    }

    private static func page(
        of reader: PageReader, after previous: Task<PageReader.Page, Never>?
    ) -> Task<PageReader.Page, Never> {
        Task {
            // Two tasks that call an actor may reach it in any order.
            _ = await previous?.value
            return await reader.next()
        }
    }

    /// The next rows, possibly none; nil at the end.
    ///
    /// - Throws: a read error, after all rows before it were returned.
    package mutating func next() async throws(ProvisioningError) -> [ReadRow]? {
        if let failure { throw failure }
        guard !isAtEnd else { return nil }
        let page = await ahead[turn].removeFirst().value
        (isAtEnd, failure) = (page.isLast, page.failure)
        if !isAtEnd { ahead[turn].append(Self.page(of: readers[turn], after: ahead[turn].last)) }
        turn = (turn + 1) % readers.count
        return page.rows
    }
}

/// Checks every n-th page of a file on its own thread.
///
/// Each reader goes through the whole file: finding the end of a row is cheap compared with checking it, and a CSV file
/// can only be cut into rows from its start.
private actor PageReader {
    /// Consecutive rows.
    struct Page: Sendable {
        var rows: [ReadRow] = []
        /// Whether no readable row follows.
        var isLast = false
        /// Set if the file could not be read on.
        var failure: ProvisioningError?
    }

    private nonisolated let thread: SerialThread
    private var reader: RowReader
    /// The last three pages. The caller has finished with a page when the third after it begins, so that its rows are
    /// freed here: if another thread freed them, both would wait for the allocator's lock.
    private var lent: [Page] = []
    private var hasBegun = false
    /// The number of other readers' rows before the next page.
    private var skipping: Int
    private let step: Int
    private let rowsPerPage: Int

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - first: the index of its first page.
    ///   - step: the number of readers that share the file.
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
        if lent.count == 3 { lent.removeFirst() }
        defer { lent.append(page) }
        do throws(ProvisioningError) {
            try read(&page)
        } catch {
            page.isLast = true
            page.failure = error
        }
        return page
    }

    private func read(_ page: inout Page) throws(ProvisioningError) {
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
            guard let row = try reader.next() else {
                page.isLast = true
                return
            }
            page.rows.append(row)
        }
    }
}
