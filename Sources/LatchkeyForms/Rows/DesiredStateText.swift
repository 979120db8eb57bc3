/// A desired state as a file has it: one object, `{"accounts":[{…},{…}]}`.
package enum DesiredStateText {
    /// Where an account stands.
    package struct Account: Sendable {
        /// In bytes, to be read by ``RowCells/read(json:)``.
        package let range: Range<Int>
        package let place: TextPlace

        /// The place of one of its bytes, counted from its own first.
        package func place(of offset: Int, in text: Span<UInt8>) -> TextPlace {
            var cursor = PlaceCursor(at: range.lowerBound, place)
            return cursor.place(of: min(range.lowerBound + offset, text.count), in: text)
        }
    }

    /// Where each account stands.
    ///
    /// - Parameter text: of any bytes.
    package static func accounts(in text: Span<UInt8>) throws(RowCells.Flaw) -> [Account] {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text)
        } catch {
            throw RowCells.Flaw(.invalidUTF8, at: error.byteOffsets.lowerBound)
        }
        var accounts: [Range<Int>]?
        var flaw: RowCells.Flaw?
        do throws(JSONScanner.Failure) {
            try JSONScanner.object(in: text) { (scanner, key) throws(JSONScanner.Failure) in
                let name = key.range.lowerBound - 1
                guard key.isWritten(Array("accounts".utf8), in: text), scanner.next(in: text) == UInt8(ascii: "[")
                else {
                    flaw = flaw ?? RowCells.Flaw(.accountsMissing, at: name)
                    return try scanner.skip(in: text, depth: 1)
                }
                if accounts != nil { flaw = flaw ?? RowCells.Flaw(.columnTwice, at: name) }
                var found: [Range<Int>] = []
                try scanner.elements(in: text, depth: 1) { (scanner) throws(JSONScanner.Failure) in
                    let start = scanner.offset
                    try scanner.skip(in: text, depth: 2)
                    found.append(start..<scanner.offset)
                }
                accounts = found
            }
        } catch {
            throw RowCells.Flaw(error)
        }
        if let flaw { throw flaw }
        guard let accounts else { throw RowCells.Flaw(.accountsMissing, at: 0) }
        var cursor = PlaceCursor()
        return accounts.map { Account(range: $0, place: cursor.place(of: $0.lowerBound, in: text)) }
    }

    /// The line and the column of a byte.
    package static func place(of offset: Int, in text: Span<UInt8>) -> TextPlace {
        PlaceCursor.place(of: min(offset, text.count), in: text)
    }
}
