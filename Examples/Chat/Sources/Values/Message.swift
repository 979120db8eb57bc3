import LatchkeyAccounts

/// A message from one user to another. It never changes; its delivery is stored separately.
struct Message: Hashable, Sendable {
    /// Assigned by the author, so that copies from different sources can be recognized.
    typealias ID = String

    let id: ID
    let author: Contact.ID
    let reader: Contact.ID
    /// Milliseconds since 1970, UTC. Later than every message that its author had seen, even if the clock went back.
    let writtenAt: Int64
    let text: MessageText

    /// The other user, who identifies the chat.
    func partner(of me: Contact.ID) -> Contact.ID { author == me ? reader : author }

    /// The order of messages in a chat. It is the same for both users and for any order of arrival.
    static func isBefore(_ left: Message, _ right: Message) -> Bool {
        (left.writtenAt, left.id) < (right.writtenAt, right.id)
    }
}

/// The text of a message, which is neither empty nor too long. The initializer checks that.
struct MessageText: Hashable, Sendable {
    let text: String

    /// In Unicode scalars, as SQLite counts them.
    static let longest = 1000

    /// Trims blanks at both ends. Line breaks remain, with at most one empty line in a row. Other control characters
    /// become spaces.
    ///
    /// - Returns: nil if the rest is empty or too long.
    init?(_ raw: String) {
        var scalars = String.UnicodeScalarView()
        var breaks = 0
        for scalar in raw.normalizingLineBreaks.unicodeScalars {
            breaks = scalar == "\n" ? breaks + 1 : 0
            guard breaks <= 2 else { continue }
            scalars.append(scalar.properties.generalCategory == .control && scalar != "\n" ? " " : scalar)
        }
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        let trimmed = String(scalars).drop(while: isBlank).reversed().drop(while: isBlank).reversed()
        text = String(trimmed)
        guard !text.isEmpty, text.unicodeScalars.count <= Self.longest else { return nil }
    }

    /// The text without line breaks, for a list.
    var line: String { text.split(separator: "\n").joined(separator: " ") }
}

extension String {
    /// With `\n` for every line break. A terminal pastes `\r`, and a file may contain both.
    var normalizingLineBreaks: String {
        String(map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 })
    }
}

/// The delivery of a message.
enum Delivery: Equatable, Sendable {
    case sending
    case sent
    case failed(Failure)
    case read

    enum Failure: Error, Equatable, Sendable {
        case store(StoreError)
        /// The session had ended, so the message was not stored.
        case loggedOut
    }
}
