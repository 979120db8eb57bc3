/// A datagram contains a word and lines. The socket itself identifies the sender and the receiver.
extension Changes {
    /// The largest datagram: enough for the longest message, or for 100 ids.
    static let longestDatagram = 8192
    private static let idsOfDatagram = 100

    var datagrams: [[UInt8]] {
        let written = messages.map { ["message", $0.id, String($0.writtenAt), $0.text.text] }
        let ids = Array(read)
        let receipts = stride(from: 0, to: ids.count, by: Self.idsOfDatagram).map { start in
            ["read"] + ids[start...].prefix(Self.idsOfDatagram)
        }
        return (written + receipts).map { Array($0.joined(separator: "\n").utf8) }
    }

    /// - Returns: nil if the datagram is not valid.
    init?(datagram: [UInt8], from author: Contact.ID, to reader: Contact.ID) {
        guard datagram.count < Self.longestDatagram, let text = String(validating: datagram, as: UTF8.self) else {
            return nil
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        switch (lines.first, lines.count) {
        case ("message", 4):
            guard let writtenAt = Int64(lines[2]), let text = MessageText(lines[3]) else { return nil }
            messages = [Message(id: lines[1], author: author, reader: reader, writtenAt: writtenAt, text: text)]
        case ("read", 2...): read = Set(lines.dropFirst())
        default: return nil
        }
    }
}
