package import LatchkeyForms
import LatchkeyText

/// The text of a desired state: one JSON object, `{"accounts":[{…},{…}]}`.
package enum DesiredStateText {
    /// The location of one account in the text.
    package struct Account: Sendable {
        /// The bytes of the account's object, for ``RowCells/read(json:)``.
        package let range: Range<Int>
        /// The line and column of its first byte.
        package let place: TextPlace

        /// The line and column of a byte in the object.
        package func place(of offset: Int, in text: Span<UInt8>) -> TextPlace {
            var cursor = PlaceCursor(at: range.lowerBound, place)
            return cursor.place(of: min(range.lowerBound + offset, text.count), in: text)
        }
    }

    /// Finds the accounts in the contents of a file.
    ///
    /// - Parameter text: the contents, which may be any bytes.
    /// - Throws: if the text is not JSON, or contains anything but one key `accounts`.
    package static func accounts(in text: Span<UInt8>) throws(RowCells.FormatError) -> [Account] {
        if let offset = text.firstInvalidUTF8 { throw RowCells.FormatError(.invalidUTF8, at: offset) }
        var accounts: [Range<Int>]?
        var firstError: RowCells.FormatError?
        do throws(JSONScanner.Failure) {
            try JSONScanner.object(in: text) { (scanner, key) throws(JSONScanner.Failure) in
                let name = key.range.lowerBound - 1
                guard key.isWritten(Array("accounts".utf8), in: text), scanner.next(in: text) == UInt8(ascii: "[")
                else {
                    firstError = firstError ?? RowCells.FormatError(.accountsMissing, at: name)
                    return try scanner.skip(in: text, depth: 1)
                }
                if accounts != nil { firstError = firstError ?? RowCells.FormatError(.columnTwice, at: name) }
                var found: [Range<Int>] = []
                try scanner.elements(in: text, depth: 1) { (scanner) throws(JSONScanner.Failure) in
                    let start = scanner.offset
                    try scanner.skip(in: text, depth: 2)
                    found.append(start..<scanner.offset)
                }
                accounts = found
            }
        } catch {
            guard error.isLate, let firstError else { throw RowCells.FormatError(error) }
            throw firstError
        }
        if let firstError { throw firstError }
        guard let accounts else { throw RowCells.FormatError(.accountsMissing, at: 0) }
        var cursor = PlaceCursor()
        return accounts.map { Account(range: $0, place: cursor.place(of: $0.lowerBound, in: text)) }
    }

    /// The line and column of a byte in the text.
    package static func place(of offset: Int, in text: Span<UInt8>) -> TextPlace {
        PlaceCursor.place(of: min(offset, text.count), in: text)
    }
}
