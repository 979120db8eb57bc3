/// The keys of the terminal: which bytes give which action.
enum KeyBindings {
    /// The key for a control character; nil if it has no function.
    static func control(_ byte: UInt8) -> Action.Key? {
        switch byte {
        case 0x01: .home  // Ctrl-A
        case 0x02: .left  // B
        case 0x03: .interrupt  // C
        case 0x04: .endOfText  // D
        case 0x05: .editor  // E
        case 0x06: .right  // F
        case 0x08, 0x7F: .deleteBack  // H, and the Backspace key
        case 0x09: .tab
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

    /// Whether the sequence is complete: an Alt key, SS3 and one byte, CSI up to its final byte (ECMA-48, section 5.4),
    /// or the Linux console's `[[` and one byte.
    static func isComplete(_ sequence: [UInt8]) -> Bool {
        guard let first = sequence.first, let last = sequence.last else { return false }
        switch first {
        case UInt8(ascii: "O"): return sequence.count == 2
        case UInt8(ascii: "["):
            if sequence.count == 1 { return false }
            if sequence.count == 2, last == UInt8(ascii: "[") { return false }
            if sequence[1] == UInt8(ascii: "[") { return sequence.count == 3 }
            return (0x40...0x7E).contains(last)
        default: return true
        }
    }

    /// The action for the bytes after an escape; nil if the sequence has no function.
    static func action(for sequence: [UInt8]) -> Action? {
        let text = String(decoding: sequence, as: UTF8.self)
        if let action = plain[text] { return action }
        // A modifier follows a semicolon: ESC [ 1 ; 5 C is Ctrl-Right. 3 is Alt, 5 is Ctrl, others are sums of these.
        guard text.hasPrefix("["), let semicolon = text.firstIndex(of: ";"), let final = text.last else { return nil }
        let number = text[text.index(after: text.startIndex)..<semicolon]
        switch (final, number) {
        case ("C", _): return .key(.wordRight)
        case ("D", _): return .key(.wordLeft)
        case ("~", _): return plain["[\(number)~"]
        case (_, "1"): return plain["[\(final)"] ?? plain["O\(final)"]
        default: return nil
        }
    }

    private static let plain: [String: Action] = [
        "[A": .key(.previous), "[B": .key(.next), "[C": .key(.right), "[D": .key(.left), "[H": .key(.home),
        "[F": .key(.end), "[Z": .key(.backTab), "\r": .key(.newLine), "\n": .key(.newLine),
        "OA": .key(.previous), "OB": .key(.next), "OC": .key(.right), "OD": .key(.left), "OH": .key(.home),
        "OF": .key(.end), "OM": .key(.submit),
        "[1~": .key(.home), "[7~": .key(.home), "[4~": .key(.end), "[8~": .key(.end), "[3~": .key(.deleteForward),
        "[5~": .key(.pageUp), "[6~": .key(.pageDown),
        "OQ": .followLink(0), "[12~": .followLink(0), "[[B": .followLink(0),
        "OR": .followLink(1), "[13~": .followLink(1), "[[C": .followLink(1),
        "OS": .followLink(2), "[14~": .followLink(2), "[[D": .followLink(2),
        "b": .key(.wordLeft), "B": .key(.wordLeft), "f": .key(.wordRight), "F": .key(.wordRight),
        "\u{7F}": .key(.deleteWordBack), "\u{08}": .key(.deleteWordBack),
        // rxvt's Ctrl-arrows
        "Oc": .key(.wordRight), "Od": .key(.wordLeft),
    ]
}
