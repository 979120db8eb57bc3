import LatchkeySecrets

/// Decodes the bytes of a terminal in raw mode into actions. It supports UTF-8 and the keys of xterm, rxvt, VT220 and
/// the Linux console.
///
/// Unfinished input is in locked memory, because it may be part of a password.
public struct KeyDecoder: ~Copyable {
    /// The start of an unfinished key sequence, character or paste.
    private var pending = SecretBytes(capacity: FormMachine.maximumPaste + 16)
    private var isPasting = false
    private var pasteIsCut = false
    /// The number of consecutive bytes of ``pasteEnd`` received so far.
    private var endsSeen = 0

    private static let escape: UInt8 = 0x1B
    private static let pasteEnd: [UInt8] = [0x1B] + "[201~".utf8
    /// The maximum length of a key sequence. A longer one is discarded.
    private static let longestSequence = 32

    /// Creates a decoder that has read nothing yet.
    public init() {}

    /// The time to wait for the next byte before calling ``finish(_:)``; nil if there is no unfinished input.
    public var patience: Duration? {
        // An unfinished paste must not block Ctrl-C forever.
        if isPasting { return .seconds(1) }
        // A character has no limit: its bytes belong together, however late they arrive.
        return first == Self.escape ? .milliseconds(25) : nil
    }

    /// Decodes `bytes` and passes each action to `body`, in order.
    public mutating func decode(_ bytes: Span<UInt8>, _ body: (Action) -> Void) {
        var run = SecretBytes(capacity: bytes.count + 4)
        for index in bytes.indices { take(bytes[index], &run, body) }
        flush(&run, body)
    }

    /// Decodes unfinished input after a pause. A lone escape is the Escape key.
    public mutating func finish(_ body: (Action) -> Void) {
        if isPasting {
            endPaste(body)
        } else if pending.count == 1, first == Self.escape {
            body(.key(.cancel))
        } else if !pending.isEmpty, first != Self.escape {
            body(.key(.unreadable))
        }
        pending.removeAll()
    }

    private var first: UInt8? { pending.withBytes { $0.isEmpty ? nil : $0[0] } }

    // MARK: Bytes

    private mutating func take(_ byte: UInt8, _ run: inout SecretBytes, _ body: (Action) -> Void) {
        if isPasting { return takePasted(byte, body) }
        if first == Self.escape { return takeOfSequence(byte, body) }
        if !pending.isEmpty {
            if UTF8.isContinuation(byte) {
                _ = pending.append(byte)
                takeCharacterIfComplete(&run, body)
                return
            }
            flush(&run, body)
            body(.key(.unreadable))
            pending.removeAll()
        }
        switch byte {
        case Self.escape:
            flush(&run, body)
            _ = pending.append(byte)
        case 0..<0x20, 0x7F:
            flush(&run, body)
            if let key = KeyBindings.control(byte) { body(.key(key)) }
        case 0x20..<0x7F: _ = run.append(byte)
        default:
            _ = pending.append(byte)
            takeCharacterIfComplete(&run, body)
        }
    }

    /// Passes the typed text to `body` as one action.
    private func flush(_ run: inout SecretBytes, _ body: (Action) -> Void) {
        guard !run.isEmpty else { return }
        body(.insert(run.withBytes { Secret(copying: $0) }))
        run.removeAll()
    }

    private mutating func takeCharacterIfComplete(_ run: inout SecretBytes, _ body: (Action) -> Void) {
        enum Verdict { case complete, incomplete, control, invalid }
        let verdict = pending.withBytes { bytes -> Verdict in
            let length =
                switch bytes[0] {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 0
                }
            if bytes.count < length { return .incomplete }
            guard (try? UTF8Span(validating: bytes)) != nil else { return .invalid }
            // U+0080 to U+009F are control characters, which keyboards do not send.
            return bytes[0] == 0xC2 && bytes[1] < 0xA0 ? .control : .complete
        }
        switch verdict {
        case .incomplete: return
        case .control: break
        case .complete: _ = pending.withBytes { run.append($0) }
        case .invalid:
            flush(&run, body)
            body(.key(.unreadable))
        }
        pending.removeAll()
    }

    // MARK: Keys

    private mutating func takeOfSequence(_ byte: UInt8, _ body: (Action) -> Void) {
        if byte == Self.escape {
            // The first escape is the Escape key.
            body(.key(.cancel))
            pending.removeAll()
            _ = pending.append(byte)
            return
        }
        _ = pending.append(byte)
        let sequence = pending.withBytes { bytes in bytes.indices.dropFirst().map { bytes[$0] } }
        guard KeyBindings.isComplete(sequence) || pending.count >= Self.longestSequence else { return }
        pending.removeAll()
        if sequence.elementsEqual("[200~".utf8) {
            isPasting = true
            pasteIsCut = false
            endsSeen = 0
        } else if let action = KeyBindings.action(for: sequence) {
            body(action)
        }
    }

    // MARK: Pastes

    private mutating func takePasted(_ byte: UInt8, _ body: (Action) -> Void) {
        if !pending.append(byte) { pasteIsCut = true }
        if byte == Self.pasteEnd[endsSeen] {
            endsSeen += 1
        } else {
            endsSeen = byte == Self.escape ? 1 : 0
        }
        guard endsSeen == Self.pasteEnd.count else { return }
        if !pasteIsCut {
            _ = pending.replaceSubrange((pending.count - endsSeen)..<pending.count, with: Span())
        }
        endPaste(body)
    }

    private mutating func endPaste(_ body: (Action) -> Void) {
        isPasting = false
        // A truncated paste fills the buffer and therefore exceeds the machine's limit.
        body(.paste(pending.withBytes { Secret(copying: $0) }))
        pending.removeAll()
    }
}
