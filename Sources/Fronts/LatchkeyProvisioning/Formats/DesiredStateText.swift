package import LatchkeyAccounts
package import LatchkeyForms
import LatchkeyText

/// The text of a desired state: one JSON object, `{"groups":[{"name":"staff"}],"accounts":[{…},{…}]}`. The list of
/// groups may be missing.
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

    /// Finds the groups and the accounts in the contents of a file.
    ///
    /// - Parameter text: the contents, which may be any bytes.
    /// - Throws: if the text is not JSON, or contains anything but the keys `accounts` and `groups`.
    package static func contents(
        of text: Span<UInt8>
    ) throws(RowCells.FormatError) -> (groups: [DesiredGroup], accounts: [Account]) {
        if let offset = text.firstInvalidUTF8 { throw RowCells.FormatError(.invalidUTF8, at: offset) }
        var accounts: [Range<Int>]?
        var groups: [Range<Int>]?
        var firstError: RowCells.FormatError?
        do throws(JSONScanner.Failure) {
            try JSONScanner.object(in: text) { (scanner, key) throws(JSONScanner.Failure) in
                let name = key.range.lowerBound - 1
                let isOfGroups = key.isWritten(Array("groups".utf8), in: text)
                guard isOfGroups || key.isWritten(Array("accounts".utf8), in: text),
                    scanner.next(in: text) == UInt8(ascii: "["), (isOfGroups ? groups : accounts) == nil
                else {
                    firstError = firstError ?? RowCells.FormatError(.accountsMissing, at: name)
                    return try scanner.skip(in: text, depth: 1)
                }
                var found: [Range<Int>] = []
                try scanner.elements(in: text, depth: 1) { (scanner) throws(JSONScanner.Failure) in
                    let start = scanner.offset
                    try scanner.skip(in: text, depth: 2)
                    found.append(start..<scanner.offset)
                }
                if isOfGroups { groups = found } else { accounts = found }
            }
        } catch {
            guard error.isLate, let firstError else { throw RowCells.FormatError(error) }
            throw firstError
        }
        if let firstError { throw firstError }
        guard let accounts else { throw RowCells.FormatError(.accountsMissing, at: 0) }
        var cursor = PlaceCursor()
        return (
            try Self.groups(groups ?? [], in: text),
            accounts.map { Account(range: $0, place: cursor.place(of: $0.lowerBound, in: text)) }
        )
    }

    /// Parses the elements of the list of groups: objects with a name and perhaps a title.
    private static func groups(
        _ ranges: [Range<Int>], in text: Span<UInt8>
    ) throws(RowCells.FormatError) -> [DesiredGroup] {
        var groups: [DesiredGroup] = []
        var names: Set<GroupName> = []
        for range in ranges {
            guard let value = try? JSONReader.read(text.extracting(range)).value, case .object(let members) = value,
                members.allSatisfy({ $0.key == "name" || $0.key == "title" }),
                let name = value["name"]?.string.flatMap({ GroupName($0) }), names.insert(name).inserted
            else { throw RowCells.FormatError(.groupsMalformed, at: range.lowerBound) }
            let title = value["title"]?.string
            guard value["title"] == nil || title.map(Group.isTitle) == true else {
                throw RowCells.FormatError(.groupsMalformed, at: range.lowerBound)
            }
            groups.append(DesiredGroup(name: name, title: title))
        }
        return groups
    }

    /// The line and column of a byte in the text.
    package static func place(of offset: Int, in text: Span<UInt8>) -> TextPlace {
        PlaceCursor.place(of: min(offset, text.count), in: text)
    }
}

/// A group that a desired state creates if it does not exist.
package struct DesiredGroup: Equatable, Sendable {
    /// The name of the group.
    package let name: GroupName
    /// The title of a new group. An existing group keeps its title.
    package let title: String?

    /// Creates a group with a name and perhaps a title.
    package init(name: GroupName, title: String? = nil) {
        self.name = name
        self.title = title
    }
}
