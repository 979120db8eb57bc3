import LatchkeyAccounts
import LatchkeyForms
import LatchkeySystem

@testable import LatchkeyProvisioning

extension FuzzTarget {
    /// A name that is exported to CSV and imported again must not change.
    static let csvCell = FuzzTarget("csv-cell", upTo: 1_000) { bytes in
        // An import refuses NUL, and treats an empty cell as missing.
        let text = bytes.repairedText
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        guard let folder = FuzzFolder.shared, let form = FuzzForms.builtIn?.form(for: .setup),
            let id = AccountID("00000000-0000-4000-8000-00000000000a")
        else { return "no form" }
        let account = Account(
            id: id, username: Username(storedAs: text, prepared: text),
            email: EmailAddress(storedAs: "ada@example.org", folded: "ada@example.org"),
            createdAt: Timestamp(milliseconds: 0), passwordHash: nil)
        var writer = RowWriter(form, .csv, withHashes: false)
        var written: [UInt8] = []
        writer.appendHeader(to: &written)
        writer.append(ExportPage.Entry(account: account, passwordHash: nil, groups: [], totpSecret: nil), to: &written)
        guard folder.write(written, to: "csv-cell"), let given = try? GivenFile(at: folder.path + "/csv-cell"),
            let file = try? RereadableFile(given, spoolingIn: { () throws(FileError) in throw .notFound })
        else { return "no file to read from" }
        guard let column = form.fields.firstIndex(where: { $0.apiKey == .username }) else { return "no username" }
        do throws(ProvisioningError) {
            var source = RowFile(file, .csv)
            var cells = RowCells(columns: RowChecker.columns(of: form))
            var header: [Int?]?
            while try source.advance() != nil {
                guard let known = header else {
                    header = source.withRow { row in try? cells.header(csv: row) }
                    if header == nil { return "a header that cannot be read" }
                    continue
                }
                if source.withRow({ row in cells.read(csv: row, under: known) }) != nil { return "a row is refused" }
                return cells.withText(column) { $0.span.count == text.utf8.count && String(copying: $0) == text }
                    ? nil : "a name comes back as another"
            }
            return "no row"
        } catch {
            return "\(error)"
        }
    }
}
