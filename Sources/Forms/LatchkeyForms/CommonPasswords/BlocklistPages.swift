/// Searches a list and verifies its entries, page by page.
struct BlocklistPages {
    private let bytes: BlocklistBytes
    private let head: BlocklistFormat.Head

    init(_ bytes: BlocklistBytes) throws(BlocklistError) {
        self.bytes = bytes
        head = try BlocklistFormat.Head(bytes.bytes(at: 0, count: BlocklistFormat.headSize), of: bytes.count)
    }

    var digest: BlocklistDigest { head.digest }

    func contains(_ prefix: UInt64) throws(BlocklistError) -> Bool {
        var pages = 0..<head.pages
        while !pages.isEmpty {
            let middle = pages.lowerBound + pages.count / 2
            let page = try page(middle)
            if prefix < page.prefix(0) {
                pages = pages.lowerBound..<middle
            } else if prefix > page.prefix(page.count - 1) {
                pages = (middle + 1)..<pages.upperBound
            } else {
                return page.contains(prefix)
            }
        }
        return false
    }

    /// Reads every page and returns the number of entries.
    ///
    /// - Throws: ``BlocklistError/damaged``, including for entries that are not in ascending order.
    func verify() throws(BlocklistError) -> Int {
        var last: UInt64?
        for number in 0..<head.pages {
            let page = try page(number)
            for index in 0..<page.count {
                if let last, page.prefix(index) <= last { throw .damaged }
                last = page.prefix(index)
            }
        }
        return head.count
    }

    private func page(_ number: Int) throws(BlocklistError) -> Page {
        let offset = BlocklistFormat.headSize + number * BlocklistFormat.pageSize
        let page = try bytes.bytes(at: offset, count: BlocklistFormat.pageSize)
        try BlocklistFormat.verify(page, page: number)
        let before = number * BlocklistFormat.prefixesPerPage
        return Page(bytes: page, count: min(BlocklistFormat.prefixesPerPage, head.count - before))
    }

    /// A page with a valid checksum.
    private struct Page {
        let bytes: [UInt8]
        /// The number of prefixes, at least one.
        let count: Int

        func prefix(_ index: Int) -> UInt64 { BlocklistFormat.word(bytes.span, at: index * 8) }

        func contains(_ wanted: UInt64) -> Bool {
            var range = 0..<count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                let prefix = prefix(middle)
                if prefix == wanted { return true }
                range = prefix < wanted ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
            }
            return false
        }
    }
}
