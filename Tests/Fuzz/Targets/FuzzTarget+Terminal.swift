import LatchkeyForms
import LatchkeySecrets

@testable import LatchkeyTerminal

extension FuzzTarget {
    /// Input that is read at once or byte by byte produces the same keys and lines, and a valid screen.
    static let terminalInput = FuzzTarget("terminal-input", upTo: 1_500) { bytes in
        let actions = keys(of: [bytes])
        if told(actions) != told(keys(of: bytes.map { [$0] })) { return "keys depend on how they come" }
        for case .insert(let typed) in actions {
            let isFit = typed.withBytes { typed in
                guard let text = try? UTF8Span(validating: typed) else { return false }
                var scalars = text.makeUnicodeScalarIterator()
                while let scalar = scalars.next() {
                    if scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value { return false }
                }
                return true
            }
            if !isFit { return "a key that types what is no text" }
        }
        if lines(of: [bytes]) != lines(of: bytes.map { [$0] }) { return "lines depend on how they come" }
        guard let form = FuzzForms.setup else { return "no form" }
        let model = FormViewModel(form: form)
        var machine = FormMachine(for: model.state)
        for action in actions.prefix(200) {
            let wasBusy = model.state.isBusy
            for case .submit in machine.handle(action, on: model, at: .now) {
                if wasBusy { return "two calls at once" }
                model.callEnded(nil)
                machine.callEnded(model.state, at: .now)
            }
            if !model.state.focusOrder.contains(machine.focus) { return "the focus is nowhere" }
        }
        let frame = machine.frame(of: model.state, columns: 20 + bytes.count % 80, at: .now, in: .english)
        return frame.lines.indices.contains(frame.cursor.line) ? nil : "the cursor is outside the screen"
    }

    private static func keys(of blocks: [[UInt8]]) -> [Action] {
        var actions: [Action] = []
        var decoder = KeyDecoder()
        for block in blocks { decoder.decode(block.span) { actions.append($0) } }
        decoder.finish { actions.append($0) }
        return actions
    }

    /// The input as a string, for which one insertion and several have the same result.
    private static func told(_ actions: [Action]) -> [String] {
        var told: [String] = []
        var typed: [UInt8] = []
        for action in actions {
            if case .insert(let text) = action {
                typed += text.withBytes { bytes in bytes.indices.map { bytes[$0] } }
                continue
            }
            if !typed.isEmpty { told.append("insert \(typed)") }
            typed = []
            if case .paste(let text) = action {
                told.append("paste \(text.withBytes { bytes in bytes.indices.map { bytes[$0] } })")
            } else {
                told.append("\(action)")
            }
        }
        return typed.isEmpty ? told : told + ["insert \(typed)"]
    }

    private static func lines(of blocks: [[UInt8]]) -> [[UInt8]?] {
        var lines: [[UInt8]?] = []
        var decoder = LineDecoder()
        for block in blocks {
            decoder.decode(block.span) { line in
                lines.append(line?.withBytes { bytes in bytes.indices.map { bytes[$0] } })
            }
        }
        return lines
    }
}
