import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyTerminal

/// Sessions that are recorded and replayed.
@Suite(.timeLimit(.minutes(60)))
struct SessionReplayTests {
    private static let canary = "Kan4ri3nv0gel"

    private func signIn(_ type: AccountType, _ credentials: Credentials) async -> NetworkResponse {
        guard type == .login else { return .success() }
        return credentials.secret(.password)?.text == Self.canary ? .success(Stage.ada) : .refused(.invalidCredentials)
    }

    /// Ends the session, and checks that it replays the same and contains no secret.
    private func expectSame(_ stage: RecordedStage, without secrets: String...) async throws {
        _ = await stage.running.value
        let outcome = try await stage.recording().replayed()
        #expect(outcome.isSame, "\(outcome)")
        for secret in secrets + [Self.canary] { #expect(!stage.text.contains(secret)) }
    }

    @Test func `a login with a wrong password first`() async throws {
        let stage = try RecordedStage(answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\rwr0ng0ne\r")
        await stage.port.expect("Wrong username or password")
        stage.port.type(Self.canary + "\r")
        try await expectSame(stage, without: "wr0ng0ne")
        #expect(stage.text.contains(#""text":"ada""#))
        #expect(stage.text.contains(#""stand_in":"xxxxxxxxxxxxx""#))
        #expect(stage.lines.last?.contains(#""ended":"finished","flow":"login""#) == true)
    }

    @Test func `no recording contains the secret of an authenticator app or a saved code`() async throws {
        let stage = try RecordedStage(opening: .addFactor, until: .success(of: .addFactor)) { _, credentials in
            credentials.secret(.code) == nil
                ? .enrolmentStarted(.authenticator(uri: Secret("otpauth://UR1"), secret: Secret("K3YS")))
                : .success(Stage.ada).disclosing(.savedCodes([Secret("C0DE")]))
        }
        await stage.port.expect("K3YS")
        await stage.port.expect("Enter: Confirm")
        stage.port.type("1\r")
        await stage.port.expect("C0DE")
        try await expectSame(stage, without: "UR1", "K3YS", "C0DE")
    }

    @Test func `verdicts about a secret are replayed`() async throws {
        let stage = try RecordedStage(opening: .setup, until: .success(of: .setup))
        await stage.port.expect("Create your account")
        stage.port.type("ada@example.org\rada\r")
        await stage.port.expect("Password")
        // Common at first, then not. Redacted text would be common and weak throughout.
        for key in "password1" { stage.port.type(String(key)) }
        stage.port.type("\r")
        await stage.port.expect("list of common passwords")
        stage.port.type(" " + Self.canary + "\r")
        stage.port.type("something else\r")
        await stage.port.expect("do not match")
        stage.port.type("password1 " + Self.canary + "\r")
        await stage.port.expect("Check your answers")
        stage.port.type("\r")
        try await expectSame(stage, without: "password1", "something")
        #expect(stage.text.contains(#""code":"not_common""#))
        #expect(stage.text.contains(#""strength":"#))
    }

    @Test func `editing in the middle, deleting, pasting and showing`() async throws {
        let stage = try RecordedStage(answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\r")
        stage.port.type("中🇵🇹e\u{301}" + Self.canary)
        stage.port.type("\u{12}\u{1}\u{1B}[C\u{1B}[3~\u{7F}\u{301}")
        stage.port.type("\u{1B}[200~zwei\nzeilen\u{1B}[201~")
        stage.port.send(.action(.paste(Secret(copying: [0x61, 0xFF, 0xFE].span))))
        stage.port.type("\u{1B}[F\u{17}" + Self.canary + "\u{12}")
        await stage.port.expect(Self.canary)
        stage.port.type("\r")
        try await expectSame(stage, without: "zwei", "zeilen")
        #expect(stage.text.contains(#""no_text":"ffffff""#))
        #expect(stage.text.contains(#"["secret","password","#))
    }

    @Test func `text typed ahead or on a button is redacted too`() async throws {
        let gate = Gate()
        let stage = try RecordedStage { _, _ in
            await gate.wait()
            return .success(Stage.ada)
        }
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\r" + Self.canary + "\r")
        await stage.network.called(times: 1)
        stage.port.type("t00early")
        stage.port.type("\u{3}")
        try await expectSame(stage, without: "t00early")
        gate.open()
        #expect(stage.lines.last?.contains(#""ended":"killed","signal":2"#) == true)
    }

    @Test func `an abandoned call and its late response replay the same`() async throws {
        let stage = try RecordedStage { type, _ in
            type == .login ? .refused(.invalidCredentials) : .codeSent()
        }
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\r" + Self.canary + "\r\u{1B}OQ")
        await stage.port.expect("Create your account")
        stage.port.type("\u{1B}\u{1B}")
        try await expectSame(stage)
    }

    @Test func `waits replay by the recording's clock`() async throws {
        let clock = Locked(FormMachine.Instant.now)
        let stage = try RecordedStage(clock: clock) { _, credentials in
            credentials.secret(.password)?.text == Self.canary
                ? .success(Stage.ada) : .throttled(retryAfter: .milliseconds(2500))
        }
        await stage.port.expect("Forgot password?")
        clock.withLock { $0 = $0.advanced(by: .milliseconds(7123)) }
        stage.port.type("ada\rwrong\r")
        await stage.port.expect("Try again in 3 s")
        clock.withLock { $0 = $0.advanced(by: .seconds(3)) }
        stage.port.type(Self.canary + "\r")
        try await expectSame(stage)
        // Times are rounded to a quarter of a second.
        #expect(stage.text.contains(#"{"at":7250,"input":"insert""#))
    }

    @Test func `line by line`() async throws {
        let stage = try RecordedStage(Stage.plain, answer: signIn)
        await stage.port.expect("Username: ")
        stage.port.enter("ada")
        await stage.port.expect("Password: ")
        stage.port.enter("")
        await stage.port.expect("shows help: ")
        stage.port.enter("t00late")
        await stage.port.expect("Password: ")
        stage.port.enter("?")
        await stage.port.expect("Password: ")
        stage.port.enter(Self.canary)
        try await expectSame(stage, without: "t00late")
        #expect(stage.text.contains(#""said":"Username: ""#))
        #expect(stage.text.contains(#""echo":false"#))
    }

    @Test func `a narrow terminal that gets wider, and a suspended program, replay the same`() async throws {
        let stage = try RecordedStage(columns: 24, answer: signIn)
        await stage.port.expect("Log in")
        stage.port.resize(columns: 60, rows: 10)
        stage.port.type("ada\r" + Self.canary + "\u{1A}")
        stage.port.send(.signal(SIGCONT))
        // The secret was erased.
        stage.port.type(Self.canary + "\r")
        try await expectSame(stage)
        #expect(stage.text.contains(#""input":"resized","columns":60,"rows":10"#))
    }

    @Test func `Portuguese, custom forms, omitted fields, flags and initial values replay the same`() async throws {
        let source = FormCatalogue.Source(
            file: "login.json", bytes: Array(OwnForm.login.utf8))
        let forms = try FormCatalogue(replacedBy: [source], messages: .portuguese)
        let shown = forms.replacing(forms.form(for: .setup).without(.password))
        let stage = try RecordedStage(
            language: .portuguese, forms: forms, shown: shown,
            prefill: [.username: .text("ada"), "pin": .secret(Secret("4711")), .password: .secret(Secret(Self.canary))])
        try await expectSame(stage, without: "4711")
        #expect(stage.text.contains(#""without":{"setup":["password"]}"#))
        let profile = try RecordedStage(
            opening: .profile, until: .success(of: .profile),
            present: [.username: "ada", .email: "ada@example.org"])
        await profile.port.expect("ada@example.org")
        profile.port.type("\u{1B}")
        try await expectSame(profile)
    }

    // MARK: Differences

    @Test func `the first frame that differs is reported with its line and row`() async throws {
        let stage = try RecordedStage(answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\u{1B}")
        _ = await stage.running.value
        var lines = stage.lines
        let place = try #require(lines.firstIndex { $0.contains(#"["value","ada"]"#) })
        lines[place].replace(#"["value","ada"]"#, with: #"["value","bob"]"#)
        guard case .differs(let difference) = try await Recording(lines: lines).replayed() else {
            Issue.record("the same")
            return
        }
        #expect(difference.line == place + 1)
        #expect(difference.parts.count == 1)
        #expect(difference.parts[0].expected?.contains("bob") == true)
        #expect(difference.parts[0].found?.contains("ada") == true)
        #expect(difference.parts[0].row != nil)
    }

    @Test func `a missing line and an additional line are reported`() async throws {
        let stage = try RecordedStage(answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\u{1B}")
        _ = await stage.running.value
        let events = stage.lines.indices.filter { stage.lines[$0].contains(#""event""#) }
        var lines = stage.lines
        lines.insert(lines[events[0]], at: events[0] + 1)
        guard case .differs(let more) = try await Recording(lines: lines).replayed() else {
            Issue.record("the same")
            return
        }
        #expect(more.line == events[0] + 2)
        lines = stage.lines
        lines.remove(at: events[0])
        guard case .differs(let fewer) = try await Recording(lines: lines).replayed() else {
            Issue.record("the same")
            return
        }
        #expect(fewer.line == events[0] + 1)
        #expect(fewer.found != nil)
        // A response without a call.
        lines = stage.lines
        lines.insert(#"{"at":0,"response":{"outcome":"success","code":"success"}}"#, at: 3)
        guard case .differs(let answer) = try await Recording(lines: lines).replayed() else {
            Issue.record("the same")
            return
        }
        #expect(answer.line == 4)
        #expect(answer.found == nil)
    }

    @Test func `a recording that was cut off is compared up to its end`() async throws {
        let stage = try RecordedStage(answer: signIn)
        await stage.port.expect("Forgot password?")
        stage.port.type("ada\r" + Self.canary + "\r")
        _ = await stage.running.value
        for count in 1...stage.lines.count {
            let outcome = try await Recording(lines: Array(stage.lines.prefix(count))).replayed()
            #expect(outcome.isSame, "\(count): \(outcome)")
        }
    }
}

/// A login that asks for a number and a password.
enum OwnForm {
    static let login = """
        {"form": "login", "title": "Own", "submit": "Go", "fields": [
          {"apiKey": "username", "placeholder": "Name"},
          {"apiKey": "pin", "placeholder": "Pin", "secret": true, "rules": [{"rule": "numeric"}]},
          {"apiKey": "password", "placeholder": "Password", "secret": true}]}
        """
}
