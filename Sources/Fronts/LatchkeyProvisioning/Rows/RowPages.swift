package import LatchkeyAccounts
package import LatchkeyForms
package import LatchkeySystem

/// Checks the rows of a file on several threads and returns them in file order.
///
/// While the caller works on the current page, each reader prepares its next two pages, so that readers do not wait for
/// each other.
package struct RowPages: ~Copyable {
    /// The maximum number of readers. More would only read the file more often.
    private static let maximumReaders = 8

    private let readers: [PageReader]
    /// The pages that each reader is preparing, starting with the next.
    private var ahead: [[Task<PageReader.Page, Never>]]
    private var turn = 0
    private var isAtEnd = false
    private var failure: ProvisioningError?

    /// - Parameters:
    ///   - rowsPerPage: the number of rows per page. The caller notices an interruption between two pages.
    ///   - readers: the number of threads; by default ``ImportOptions/jobs``, at most 8.
    /// - Throws: ``AccountError/outOfMemory`` if the system has run out of threads.
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
            // If two tasks call an actor, either may reach it first.
            _ = await previous?.value
            return await reader.next()
        }
    }

    /// The next rows, which may be empty; nil at the end.
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

/// Checks every n-th page of a file on a separate thread.
///
/// Each reader goes through the whole file, because a CSV file can only be split into rows from its start. Finding the
/// end of a row is cheap compared with checking it.
private actor PageReader {
    /// Consecutive rows.
    struct Page: Sendable {
        var rows: [ReadRow] = []
        /// Whether this is the last page.
        var isLast = false
        /// The failure to read the rest of the file; nil if there was none.
        var failure: ProvisioningError?
    }

    private nonisolated let thread: SerialThread
    private var reader: RowReader
    /// The last three pages. When the third page after a page begins, the caller has finished with it, so its rows can
    /// be freed here. If another thread freed them, both would wait for the allocator's lock.
    private var lent: [Page] = []
    private var hasBegun = false
    /// The number of rows to skip before the next page, which belong to other readers.
    private var skipping: Int
    private let step: Int
    private let rowsPerPage: Int

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - first: the index of the reader's first page.
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
