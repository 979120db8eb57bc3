import LatchkeySecrets

/// Decodes the bytes of a terminal in raw mode into actions: UTF-8, and the keys of xterm, rxvt, VT220 and the Linux console.
///
/// Keeps unfinished input in locked memory, because it may be part of a password.
public struct KeyDecoder: ~Copyable {
    /// The beginning of a key sequence, a character or a paste.
    private var pending = SecretBytes(capacity: FormMachine.maximumPaste + 16)
    private var isPasting = false
    private var pasteIsCut = false
    /// The number of consecutive bytes of ``pasteEnd`` so far.
    private var endsSeen = 0

    private static let escape: UInt8 = 0x1B
    private static let pasteEnd: [UInt8] = [0x1B] + "[201~".utf8
    /// The longest key sequence; a longer one is discarded.
    private static let longestSequence = 32

    public init() {}

    /// How long to wait for the next byte before calling ``finish(_:)``; nil if nothing is unfinished.
    public var patience: Duration? {
        // A paste that never ends must not swallow Ctrl-C forever.
        if isPasting { return .seconds(1) }
        return pending.isEmpty ? nil : .milliseconds(25)
    }

    /// Decodes `bytes` and passes each action to `body`, in order.
    public mutating func decode(_ bytes: Span<UInt8>, _ body: (Action) -> Void) {
        var run = SecretBytes(capacity: bytes.count + 4)
        for index in bytes.indices { take(bytes[index], &run, body) }
        flush(&run, body)
    }

    /// Decodes unfinished input when no more bytes have arrived. A single escape is the Escape key.
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
            if let key = Self.control(byte) { body(.key(key)) }
        case 0x20..<0x7F: _ = run.append(byte)
        default:
            _ = pending.append(byte)
            takeCharacterIfComplete(&run, body)
        }
    }

    /// Passes on typed text as one action.
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
            // U+0080 to U+009F are control characters, which no keyboard sends.
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
            // The first escape was the Escape key.
            body(.key(.cancel))
            pending.removeAll()
            _ = pending.append(byte)
            return
        }
        _ = pending.append(byte)
        let sequence = pending.withBytes { bytes in bytes.indices.dropFirst().map { bytes[$0] } }
        guard KeySequences.isComplete(sequence) || pending.count >= Self.longestSequence else { return }
        pending.removeAll()
        if sequence.elementsEqual("[200~".utf8) {
            isPasting = true
            pasteIsCut = false
            endsSeen = 0
        } else if let action = KeySequences.action(for: sequence) {
            body(action)
        }
    }

    private static func control(_ byte: UInt8) -> Action.Key? {
        switch byte {
        case 0x01: .home  // Ctrl-A
        case 0x02: .left  // B
        case 0x03: .interrupt  // C
        case 0x04: .endOfText  // D
        case 0x05: .end  // E
        case 0x06: .right  // F
        case 0x08, 0x7F: .deleteBack  // H, and the Backspace key
        case 0x09: .next  // Tab
        case 0x0A, 0x0D: .submit  // Enter
        case 0x0B: .deleteToEnd  // K
        case 0x0C: .redraw  // L
        case 0x0E: .next  // N
        case 0x10: .previous  // P
        case 0x12: .reveal  // R
        case 0x15: .deleteToStart  // U
        case 0x17: .deleteWordBack  // W
        case 0x19: .yank  // Y
        case 0x1A: .suspend  // Z
        case 0x1C: .quit  // Ctrl-\
        default: nil
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
        // A cut paste fills the buffer, so it is longer than the machine accepts.
        body(.paste(pending.withBytes { Secret(copying: $0) }))
        pending.removeAll()
    }
}
