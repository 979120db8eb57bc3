import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyTerminal

@Suite(.timeLimit(.minutes(60)))
struct FrameTests {
    struct Scene: Sendable, CustomTestStringConvertible {
        let name: String
        let type: AccountType
        /// A form of the folder `Forms` to show instead.
        var file: String?
        var actions: [String] = []
        /// The alert of the call, if the actions led to one.
        var answer: AlertViewModel?
        var hasAnswer = false
        /// The time until the frame is drawn, in seconds.
        var seconds = 0
        var messages = MessageTable.english

        var testDescription: String { name }

        var inPortuguese: Scene {
            var scene = self
            scene.messages = .portuguese
            return scene
        }
    }

    static let wrong = AlertViewModel(
        title: "Wrong username or password",
        actions: [AlertViewModel.Action(title: "Forgot password?", meaning: .open(.forgotPassword))])
    static let sent = AlertViewModel(
        title: "A code is on its way to the e-mail address you gave", isInformation: true)
    static let taken = AlertViewModel(
        title: "Already in use", lines: ["Username is already taken"],
        failures: [RuleFailure(code: .taken, field: .username)])
    static let throttled = AlertViewModel(
        title: "Too many attempts. Try again in 27 s",
        actions: [AlertViewModel.Action(title: "Forgot password?", meaning: .open(.forgotPassword))],
        retryAfter: .seconds(27))

    static let setup = ["answer:ada@example.org", "answer:ada", "answer:correct horse", "answer:correct horse"]

    static let account = [
        "answer:ada@example.org", "answer:ada", "answer:correct horse", "answer:correct horse",
    ]
    static let aboutYou = ["answer:Ada Lovelace", "answer:1990-02-28", "answer:Portugal"]
    static let support = ["answer:It is slow", "answer:mail", "tab"]

    static let scenes =
        AccountType.allCases.map { Scene(name: "\($0.rawValue)", type: $0) } + [
            Scene(name: "login-typing", type: .login, actions: ["type:ada lovelace", "left", "left"]),
            Scene(name: "login-wide", type: .login, actions: ["type:日本語の名前", "left"]),
            Scene(name: "login-controls", type: .login, actions: ["type:a\u{1B}]52;c\u{7}\u{202E}b"]),
            Scene(name: "login-long", type: .login, actions: ["type:" + String(repeating: "0123456789", count: 12)]),
            Scene(
                name: "login-long-left", type: .login,
                actions: ["type:" + String(repeating: "0123456789", count: 12), "next"]),
            Scene(name: "login-masked", type: .login, actions: ["answer:ada", "type:secret"]),
            Scene(name: "login-revealed", type: .login, actions: ["answer:ada", "type:secret", "reveal"]),
            Scene(name: "login-secret-left", type: .login, actions: ["answer:ada", "type:secret", "next"]),
            Scene(name: "login-missing", type: .login, actions: ["submit"]),
            Scene(name: "login-link", type: .login, actions: ["previous"]),
            Scene(name: "login-busy", type: .login, actions: ["answer:ada", "answer:secret"]),
            Scene(
                name: "login-refused", type: .login, actions: ["answer:ada", "answer:secret"], answer: wrong,
                hasAnswer: true),
            Scene(
                name: "changePassword-throttled", type: .changePassword,
                actions: ["answer:old", "answer:correct horse", "answer:correct horse"], answer: throttled,
                hasAnswer: true),
            Scene(name: "setup-wrong", type: .setup, actions: ["answer:ada@example"]),
            Scene(name: "setup-paste", type: .setup, actions: ["next", "next", "paste:two\nlines"]),
            Scene(name: "setup-different", type: .setup, actions: Array(setup.dropLast()) + ["answer:correct hors"]),
            Scene(name: "setup-review", type: .setup, actions: setup),
            Scene(name: "setup-demand", type: .setup, actions: Array(setup.prefix(2))),
            Scene(name: "setup-missing", type: .setup, actions: Array(setup.prefix(2)) + ["type:short"]),
            Scene(name: "setup-too-short", type: .setup, actions: Array(setup.prefix(2)) + ["answer:short"]),
            Scene(name: "setup-nearly", type: .setup, actions: Array(setup.prefix(2)) + ["answer:short", "type:hor"]),
            Scene(name: "setup-weak", type: .setup, actions: Array(setup.prefix(2)) + ["type:password1815"]),
            Scene(
                name: "setup-strong", type: .setup,
                actions: Array(setup.prefix(2)) + ["type:correct horse latchkey staple"]),
            Scene(name: "login-waiting", type: .login, actions: ["answer:ada", "answer:secret"], seconds: 1),
            Scene(name: "login-long-call", type: .login, actions: ["answer:ada", "answer:secret"], seconds: 6),
            Scene(
                name: "login-counting", type: .login, actions: ["answer:ada", "answer:secret"], answer: throttled,
                hasAnswer: true, seconds: 8),
            Scene(name: "login-emoji", type: .login, actions: ["type:a👩‍👩‍👧e\u{301}🇩🇪x", "left", "left"]),
            Scene(name: "portuguese-setup-missing", type: .setup, actions: setup.prefix(2) + ["type:short"])
                .inPortuguese,
            Scene(name: "portuguese-setup-review", type: .setup, actions: setup).inPortuguese,
            Scene(name: "portuguese-login-secret", type: .login, actions: ["answer:ada", "type:secret"]).inPortuguese,
            Scene(name: "portuguese-forgotPassword-wrong", type: .forgotPassword, actions: ["answer:ada"])
                .inPortuguese,
            Scene(
                name: "profile-code-sent", type: .profile, actions: ["answer:ada@example.org", "answer:ada"],
                answer: sent, hasAnswer: true),
            Scene(name: "registration-account", type: .setup, file: "registration", actions: ["type:ada"]),
            Scene(
                name: "registration-suggestion", type: .setup, file: "registration",
                actions: account + ["answer:Ada Lovelace", "answer:1990-02-28", "type:uni"]),
            Scene(
                name: "registration-date", type: .setup, file: "registration",
                actions: account + ["answer:Ada Lovelace", "type:1990-02-28", "previous"]),
            Scene(
                name: "registration-choice", type: .setup, file: "registration",
                actions: account + aboutYou + ["right"]),
            Scene(
                name: "registration-shirt", type: .setup, file: "registration",
                actions: account + aboutYou + ["submit", "right", "right"]),
            Scene(
                name: "registration-topics", type: .setup, file: "registration",
                actions: account + aboutYou + ["submit", "answer:M", "type: ", "next", "next", "type: "]),
            Scene(
                name: "registration-searched", type: .setup, file: "registration",
                actions: account + aboutYou + ["submit", "answer:M", "type:op"]),
            Scene(
                name: "registration-boolean", type: .setup, file: "registration",
                actions: account + aboutYou + ["submit", "answer:M", "answer:Swift;ops"]),
            Scene(
                name: "registration-review", type: .setup, file: "registration",
                actions: account + aboutYou + ["submit", "answer:M", "answer:Swift;ops", "submit", "type:y", "submit"]),
            Scene(
                name: "support-lines", type: .setup, file: "support",
                actions: support + [
                    "type:I pressed Enter.", "new_line", "new_line",
                    "type:Nothing happened, and so I pressed it again and again, for a whole day, until it was dark.",
                    "previous", "previous",
                ]),
            Scene(
                name: "support-lines-left", type: .setup, file: "support",
                actions: support + ["paste:It is slow.\nVery slow, in fact.", "tab"]),
            Scene(name: "setup-taken", type: .setup, actions: setup + ["submit"], answer: taken, hasAnswer: true),
        ]

    private static func form(of scene: Scene) throws -> Form {
        guard let file = scene.file else { return try FormCatalogue(messages: scene.messages).form(for: scene.type) }
        return try Fixture.form("../../Forms/\(file).json")
    }

    static func frame(_ scene: Scene, columns: Int) throws -> Frame {
        let model = FormViewModel(
            form: try form(of: scene).askingTwice(scene.messages),
            messages: scene.messages)
        var machine = FormMachine(for: model.state)
        let now = FormMachine.Instant.now
        for word in scene.actions { _ = machine.handle(try ActionScript.action(word), on: model, at: now) }
        if model.state.isBusy { machine.update(.busy, at: now) }
        if scene.hasAnswer {
            machine.update(.idle, at: now)
            model.callEnded(scene.answer)
            machine.callEnded(model.state, at: now)
        }
        let later = now.advanced(by: .seconds(scene.seconds))
        return machine.frame(of: model.state, columns: columns, at: later, in: scene.messages)
    }

    @Test(arguments: scenes, [80, 40, 20])
    func `a form matches its golden frame`(scene: Scene, columns: Int) throws {
        let frame = try Self.frame(scene, columns: columns)
        try Golden.expect(frame.golden, "frames/\(scene.name)-\(columns).txt")
    }

    @Test(arguments: [1, 6, 30])
    func `the frame of a suspended program does not reveal the length of a secret`(length: Int) throws {
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .login))
        var machine = FormMachine(for: model.state)
        let words = ["answer:ada", "type:" + String(repeating: "x", count: length), "reveal"]
        for word in words { _ = machine.handle(try ActionScript.action(word), on: model, at: .now) }
        let frame = machine.frame(of: model.state, columns: 80, at: .now, isParked: true, in: .english)
        #expect(frame.golden.contains("Password            ********\n"))
        #expect(!frame.golden.contains("#"))
    }

    @Test(arguments: scenes, [80, 40, 20])
    func `no line of a frame reaches the last column`(scene: Scene, columns: Int) throws {
        let frame = try Self.frame(scene, columns: columns)
        #expect(frame.lines.allSatisfy { $0.columns < columns })
        #expect(frame.cursor.column < columns)
        #expect(frame.lines.indices.contains(frame.cursor.line))
    }

    /// Together with the roles in the golden files, this covers UTF-8 and ASCII, with colour and without.
    @Test(arguments: scenes, [80, 40, 20])
    func `colour adds only attributes and placeholders`(scene: Scene, columns: Int) throws {
        let frame = try Self.frame(scene, columns: columns)
        var answers = frame
        for line in frame.lines.indices {
            answers.lines[line].runs.removeAll {
                switch $0 {
                case .text(_, .placeholder), .symbol(_, .placeholder): true
                default: false
                }
            }
        }
        for isUTF8 in [true, false] {
            let plain = frame.drawn(TerminalEnvironment(usesColor: false, isUTF8: isUTF8)).bytes
            let colored = answers.drawn(TerminalEnvironment(usesColor: true, isUTF8: isUTF8)).bytes
            let text = String(decoding: colored, as: UTF8.self)
            #expect(text.replacing(/\u{1B}\[[0-9]+m/, with: "").utf8.elementsEqual(plain))
            #expect(!String(decoding: plain, as: UTF8.self).contains(/\u{1B}\[[0-9]*m/))
            // Each line ends the attributes that it starts.
            for line in text.split(separator: "\r\n") {
                let attributes = line.matches(of: /\u{1B}\[([0-9]+)m/).map { String($0.output.1) }
                for (index, attribute) in attributes.enumerated() { #expect((attribute == "0") == (index % 2 == 1)) }
            }
            if !isUTF8 { #expect(colored.allSatisfy { $0 < 0x80 }) }
        }
    }

    @Test func `pinned lines remain visible on a low terminal if two rows are left for the others`() {
        var frame = Frame()
        frame.lines = (0..<13).map { _ in Frame.Line([]) }
        frame.pinned = 0..<3
        for rows in 1...14 {
            for line in frame.lines.indices {
                frame.cursor = Frame.Position(line: line, column: 0)
                let shown = frame.visibleLines(rows: rows)
                #expect(shown.count == min(rows, 13) && shown == shown.sorted() && Set(shown).count == shown.count)
                #expect(shown.contains(line))
                if rows >= 5 { #expect(shown.starts(with: frame.pinned), "\(rows) rows, line \(line)") }
            }
        }
    }

    @Test func `the last key hints remain visible on a low terminal`() {
        for (hints, shown) in [(2, 2), (4, 4), (6, 4)] {
            var builder = FrameBuilder(columns: 30)
            for line in 0..<12 { builder.text("line \(line)", .plain) }
            builder.pin(0..<2)
            builder.blank()
            builder.keys((0..<hints).map { "\($0): a hint of one line" })
            var frame = builder.frame
            for line in 0..<12 {
                frame.cursor = Frame.Position(line: line, column: 0)
                let visible = frame.visibleLines(rows: 8)
                #expect(visible.count == 8 && visible.contains(line) && visible.starts(with: 0..<2))
                #expect(visible.suffix(shown).elementsEqual(frame.keys.suffix(shown)))
                let texts = frame.marked(visible, columns: 30).map { $0.runs.map { $0.shown.text }.joined() }
                #expect(texts[7 - shown].hasSuffix("↓") == (visible[7 - shown] < 11), "\(texts)")
                #expect(texts.last == "\(hints - 1): a hint of one line")
            }
        }
    }

    @Test func `on a low terminal, the error of a list remains visible above its options`() throws {
        let text = """
            { "form": "f", "title": "F", "submit": "Go", "fields": [
              { "apiKey": "t", "kind": "choices", "label": "Topics", "minimum": 1,
                "rules": [{ "rule": "oneOf", "values": ["a", "b", "c", "d", "e", "f", "g"] }] } ] }
            """
        let model = FormViewModel(
            form: try FormCatalogue.form(of: FormCatalogue.Source(file: "f.json", bytes: Array(text.utf8))))
        var machine = FormMachine(for: model.state)
        _ = machine.handle(.key(.submit), on: model, at: .now)
        let frame = machine.frame(of: model.state, columns: 30, at: .now, in: .english)
        let lines = frame.lines(isUTF8: true)
        let shown = frame.visibleLines(rows: 8).map { lines[$0] }
        #expect(shown.contains { $0.contains("Choose at least 1") } && shown.contains { $0.contains("[ ] a") })
    }

    @Test func `an alert remains visible on a low terminal`() throws {
        let scene = try #require(Self.scenes.first { $0.name == "login-counting" })
        let frame = try Self.frame(scene, columns: 20)
        let shown = frame.visibleLines(rows: 5)
        #expect(shown.count == 5)
        #expect(shown.contains(frame.cursor.line))
        #expect(shown.prefix(2).elementsEqual(frame.pinned.prefix(2)))
        let texts = frame.lines(isUTF8: true)
        #expect(
            shown.map { texts[$0] } == ["✗ Too many", "  attempts. Try", "  again in 19 s", "❯ Password", "  ******"])
    }

    @Test func `a long value is scrolled so that the caret is visible`() {
        for columns in 0..<60 {
            for caret in 0...columns {
                for width in 3...20 {
                    let window = Cells.window(of: columns, caret: caret, width: width)
                    #expect(window.lowerBound <= caret && caret - window.lowerBound < width)
                    #expect(window.count <= width && window.upperBound <= max(columns, window.lowerBound))
                }
            }
        }
    }

    @Test func `a wide character that is cut in half is replaced by a space`() {
        #expect(Cells.clip("日本語", to: 1..<5) == " 本 ")
        #expect(Cells.clip("日本語", to: 0..<6) == "日本語")
        #expect(Cells.clip("e\u{301}a", to: 0..<1) == "e\u{301}")
    }

    @Test func `lines wrap between words, and within an overlong word`() {
        #expect(Cells.wrap("one two three", to: 7) == ["one two", "three"])
        #expect(Cells.wrap("abcdefgh", to: 3) == ["abc", "def", "gh"])
        #expect(Cells.wrap("日本語", to: 4) == ["日本", "語"])
        #expect(Cells.wrap("", to: 4) == [""])
    }
}

extension Frame {
    /// The frame, then the first letter of each cell's role, and then the screen of an ASCII-only terminal, decoded
    /// from its bytes.
    var golden: String {
        let texts = lines.map { line in line.runs.map { $0.shown.text }.joined() }
        let roles = lines.map { line in line.runs.map { $0.shown.roles }.joined() }
        let cursor = "cursor: line \(self.cursor.line), column \(self.cursor.column)"
        let ascii = drawn(TerminalEnvironment(usesColor: false, isUTF8: false)).screen.lines.prefix(lines.count)
        let parts = [texts, [cursor], roles, Array(ascii)]
        return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n---\n") + "\n"
    }

    /// The frame on a large terminal, and its bytes. The frames contain no secrets.
    func drawn(_ environment: TerminalEnvironment) -> (screen: VTScreen, bytes: [UInt8]) {
        let port = ScriptedTerminal(columns: 200, rows: 60)
        var renderer = Renderer(output: port, environment: environment)
        renderer.show(self, size: port.size)
        var screen = VTScreen(columns: 200, rows: 60)
        screen.feed(port.output)
        return (screen, port.output)
    }
}

extension Frame.Run {
    fileprivate var shown: (text: String, roles: String) {
        switch self {
        case .text(let text, let role): (text, String(repeating: role.letter, count: columns))
        case .symbol(let symbol, let role): (symbol.text(isUTF8: true), role.letter)
        case .secret(_, let columns):
            (String(repeating: "#", count: columns.count), String(repeating: "#", count: columns.count))
        }
    }
}

extension Role {
    fileprivate var letter: String {
        switch self {
        case .plain: " "
        case .title: "T"
        case .label: "L"
        case .value: "V"
        case .placeholder: "p"
        case .mask: "M"
        case .error: "E"
        case .hint: "h"
        case .button: "B"
        case .link: "K"
        case .accent: "a"
        case .success: "s"
        case .warning: "w"
        case .muted: "m"
        case .qrCode: "q"
        }
    }
}
