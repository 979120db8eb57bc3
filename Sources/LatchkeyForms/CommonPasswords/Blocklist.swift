/// A list of passwords that must not be set, by their digests. Nothing of it is kept in memory: each look-up reads and
/// proves the pages of a binary search.
public struct Blocklist: Sendable {
    private let open: @Sendable () throws(BlocklistError) -> BlocklistBytes?

    /// - Parameter open: finds the list, each time that it is asked; nil where there is none.
    public init(opening open: @escaping @Sendable () throws(BlocklistError) -> BlocklistBytes?) { self.open = open }

    /// The list that comes with Latchkey.
    public static let shipped = Blocklist { .shipped }

    func contains(_ password: FoldedPassword) throws(BlocklistError) -> Bool {
        guard let bytes = try open() else { return false }
        let pages = try BlocklistPages(bytes)
        for prefix in pages.digest.prefixes(of: password) where try pages.contains(prefix) { return true }
        return false
    }

    /// Reads and proves the whole list.
    ///
    /// - Returns: how many entries it has; nil where there is none.
    @discardableResult
    public func verify() throws(BlocklistError) -> Int? {
        guard let bytes = try open() else { return nil }
        return try BlocklistPages(bytes).verify()
    }
}
