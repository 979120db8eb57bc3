import LatchkeyForms
import LatchkeySecrets
import LatchkeyText
import TestSupport
import Testing

@testable import LatchkeyTerminal

@Suite(.timeLimit(.minutes(60)))
struct RendererTests {
    private static let environment = TerminalEnvironment()

    /// The text of a frame without trailing blanks.
    private func text(
        of frame: Frame, rows: Int, columns: Int = 80, secret: String, isUTF8: Bool = true
    ) -> [String] {
        frame.marked(frame.visibleLines(rows: rows), columns: columns).map { line in
            var text = line.runs.map { run in
                switch run {
                case .text(let text, _): text
                case .symbol(let symbol, _): symbol.text(isUTF8: isUTF8)
                case .secret(_, let columns): String(secret.dropFirst(columns.lowerBound).prefix(columns.count))
                }
            }.joined()
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    @Test(arguments: FrameTests.scenes, [80, 40, 20])
    func `the terminal shows exactly the frame`(scene: FrameTests.Scene, columns: Int) throws {
        let frame = try FrameTests.frame(scene, columns: columns)
        let port = ScriptedTerminal(columns: columns, rows: 50)
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .login))
        model.set("secret".utf8Span, for: .password)
        var renderer = Renderer(output: port, environment: Self.environment)
        renderer.show(frame, size: port.size, filling: model)
        var screen = VTScreen(columns: columns, rows: 50)
        screen.feed(port.output)
        #expect(screen.unknown.isEmpty)
        #expect(Array(screen.lines.prefix(frame.lines.count)) == text(of: frame, rows: 50, secret: "secret"))
        #expect(screen.row == frame.cursor.line)
        #expect(screen.column == frame.cursor.column)
    }

    @Test(arguments: [(80, 24), (40, 12), (20, 5), (120, 8)])
    func `after any keys, the terminal shows the frame and nothing else changes`(columns: Int, rows: Int) throws {
        let port = ScriptedTerminal(columns: columns, rows: rows)
        var screen = VTScreen(columns: columns, rows: rows)
        screen.feed(Array("$ before\r\n".utf8))
        var renderer = Renderer(output: port, environment: Self.environment)
        var keys = RandomKeys(seed: UInt64(columns))
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .setup).askingTwice(.english))
        var machine = FormMachine(for: model.state)
        for number in 0..<400 {
            let action = keys.next()
            _ = machine.handle(action, on: model, at: .now)
            if model.state.isBusy, number % 5 == 0 {
                model.callEnded(FrameTests.taken)
                machine.callEnded(model.state, at: .now)
            }
            let frame = machine.frame(of: model.state, columns: columns, at: .now, in: .english)
            renderer.show(frame, size: port.size, filling: model)
            screen.feed(port.takeOutput())
            let secret = machine.focus.secretText(on: model)
            let wanted = text(of: frame, rows: rows, columns: columns, secret: secret)
            let above = screen.scrollback.count == 0 ? ["$ before"] : []
            // The frame is below the earlier output, or at the top if the screen has scrolled.
            let lines = screen.lines
            let found = lines.indices.first { Array(lines[$0...].prefix(wanted.count)) == wanted }
            let start = try #require(found, "after \(ActionScript.word(action)), the screen has:\n\(screen.text)")
            let below = lines[(start + wanted.count)...].joined()
            #expect(below.isEmpty)
            if !above.isEmpty { #expect(Array(lines[..<start]) == above) }
            #expect(screen.column == frame.cursor.column)
        }
        #expect(screen.unknown.isEmpty)
        // Only earlier output has scrolled off the top, and no part of the form.
        #expect(screen.scrollback.allSatisfy { $0 == "$ before" })
    }

    /// The number of bytes for one key, in a form of 80 columns with colours.
    @Test(arguments: [
        (AccountType.login, [String](), "type:a", "type:d", 45), (.login, ["answer:ada"], "type:s", "type:e", 45),
        (.login, [], "type:ada", "left", 6), (.setup, ["answer:a@b.example"], "type:日", "type:本", 83),
    ])
    func `a key press redraws only its line`(
        type: AccountType, before: [String], first: String, second: String, bytes: Int
    ) throws {
        let port = ScriptedTerminal()
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: type))
        var machine = FormMachine(for: model.state)
        var renderer = Renderer(output: port, environment: Self.environment)
        for word in before + [first, second] {
            _ = port.takeOutput()
            _ = machine.handle(try ActionScript.action(word), on: model, at: .now)
            let frame = machine.frame(of: model.state, columns: 80, at: .now, in: .english)
            renderer.show(frame, size: port.size, filling: model)
        }
        let written = port.output
        #expect(written.count == bytes, "\(String(decoding: written, as: UTF8.self).debugDescription)")
        #expect(!written.contains(0x0A))
    }

    /// One terminal adds up the scalars of a cluster, and the other shows every emoji in one cell.
    @Test(arguments: [false, true])
    func `lines remain intact on a terminal with other character widths`(isNarrow: Bool) throws {
        let port = ScriptedTerminal(columns: 50, rows: 12)
        var screen = VTScreen(columns: 50, rows: 12) { character in
            if character.unicodeScalars.first?.properties.isEmojiPresentation != true { return CellWidth.of(character) }
            return isNarrow ? 1 : character.unicodeScalars.reduce(0) { $0 + CellWidth.of(Character($1)) }
        }
        screen.feed(Array("$ before\r\n".utf8))
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .login))
        var machine = FormMachine(for: model.state)
        var renderer = Renderer(output: port, environment: Self.environment)
        let family = "👩‍👩‍👧‍👦"
        let words =
            Array(repeating: "type:\(family)x", count: 20) + ["left", "left"]
            + Array(repeating: "delete_back", count: 38) + ["delete_to_end"]
        for word in words {
            _ = machine.handle(try ActionScript.action(word), on: model, at: .now)
            let frame = machine.frame(of: model.state, columns: 50, at: .now, in: .english)
            renderer.show(frame, size: port.size, filling: model)
            screen.feed(port.takeOutput())
            #expect(screen.lines[0] == "$ before" && screen.lines[1] == "Log in")
            #expect(screen.lines.count { $0.hasPrefix("❯ Username") } == 1 && screen.scrollback.isEmpty)
            #expect(screen.row == 3 && screen.breaksLines)
        }
        #expect(screen.lines[3] == "❯ Username or e-mail", "nothing is left behind")
    }

    /// The minimum contrast of WCAG 2.2 for large text and symbols, on black and white, with xterm's standard colours.
    /// Green is left out, because only symbols use it.
    @Test(arguments: [Role.error, .warning, .accent])
    func `colours are readable on dark and on light backgrounds`(role: Role) throws {
        let standard: [String: [Double]] = ["31": [0.804, 0, 0], "35": [0.804, 0, 0.804]]
        let color = try #require(standard[Palette(usesColor: true).attributes(of: role) ?? ""])
        // The square approximates the sRGB curve.
        let luminance = zip(color, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.0 * $1.1 }
        #expect((luminance + 0.05) / 0.05 >= 3)
        #expect(1.05 / (luminance + 0.05) >= 3)
    }

    @Test func `the form is replaced by its summary at the end`() throws {
        let port = ScriptedTerminal()
        var screen = VTScreen(columns: 80, rows: 24)
        var renderer = Renderer(output: port, environment: Self.environment)
        let frame = try FrameTests.frame(FrameTests.Scene(name: "", type: .setup), columns: 80)
        renderer.show(frame, size: port.size, filling: nil)
        renderer.replace(with: "Logged in as ada")
        screen.feed(port.output)
        #expect(screen.text == "Logged in as ada")
        #expect(screen.row == 1 && screen.column == 0)
    }

    @Test func `without colours no attributes are written, and the focus is marked`() throws {
        let port = ScriptedTerminal()
        let frame = try FrameTests.frame(FrameTests.Scene(name: "", type: .login, actions: ["submit"]), columns: 80)
        var renderer = Renderer(output: port, environment: TerminalEnvironment(usesColor: false))
        renderer.show(frame, size: port.size, filling: nil)
        #expect(!port.text.contains("m\u{1B}") && !port.text.contains("[31m") && !port.text.contains("[0m"))
        #expect(port.text.contains("❯ Username"))
    }

    @Test func `without UTF-8 the output is ASCII, with the letters below accents`() throws {
        let port = ScriptedTerminal()
        let scene = FrameTests.Scene(name: "", type: .login, actions: ["type:日本éüŻßế„Å“", "submit"])
        let frame = try FrameTests.frame(scene, columns: 80)
        var renderer = Renderer(output: port, environment: TerminalEnvironment(isUTF8: false))
        renderer.show(frame, size: port.size, filling: nil)
        let bytes = port.output
        #expect(bytes.allSatisfy { $0 < 0x80 })
        #expect(port.text.contains("????euZse\"A\""))
    }

    @Test func `a terminal that becomes narrower is redrawn`() throws {
        let port = ScriptedTerminal(columns: 80, rows: 24)
        var renderer = Renderer(output: port, environment: Self.environment)
        let scene = FrameTests.Scene(name: "", type: .setup)
        renderer.show(try FrameTests.frame(scene, columns: 80), size: port.size, filling: nil)
        let before = port.output.count
        let narrow = try FrameTests.frame(scene, columns: 40)
        renderer.show(narrow, size: TerminalSize(columns: 40, rows: 10), filling: nil)
        var screen = VTScreen(columns: 40, rows: 10)
        screen.feed(Array(port.output[before...]))
        #expect(screen.lines == text(of: narrow, rows: 10, columns: 40, secret: ""))
    }
}

/// Random actions, equal for equal seeds.
struct RandomKeys {
    private let random: RandomSource

    init(seed: UInt64) { random = .seeded(seed) }

    private static let texts = [
        "a", "ada", "@", "b.example", " ", "日", "e\u{301}", "👍", "correct horse", "\u{1B}[31m", "0123456789012345678",
    ]

    private static let answers = ["ada@example.org", "correct horse battery"]

    mutating func next() -> Action {
        guard let bytes = try? random.bytes(2) else { return .key(.tick) }
        switch bytes[0] % 10 {
        case 0...2: return .insert(Secret(Self.texts[Int(bytes[1]) % Self.texts.count]))
        case 3: return .paste(Secret(Self.texts[Int(bytes[1]) % Self.texts.count]))
        case 4: return .key(.submit)
        case 5: return .key(.next)
        case 6, 7: return .answer(Secret(Self.answers[Int(bytes[1]) % Self.answers.count]))
        case 8: return .followLink(Int(bytes[1]) % 3)
        default: return ActionScript.simple[Int(bytes[1]) % ActionScript.simple.count]
        }
    }
}

extension Focus {
    /// The value of a revealed field, as a `String`. The passwords of tests are not secret.
    func secretText(on model: FormViewModel) -> String {
        guard case .field(let key) = self else { return "" }
        return model.withValue(of: key) { text in
            var shown = ""
            text.forEachVisible { shown += $0 }
            return shown
        }
    }
}
