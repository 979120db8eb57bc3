import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct NetworkResponseTests {
    private let forms: FormCatalogue

    init() throws { forms = try FormCatalogue.shipped }

    @Test(arguments: [
        ("success", 200), ("invalid_credentials", 401), ("no_session", 401), ("change_required", 403), ("taken", 409),
        ("validation_failed", 422), ("throttled", 429), ("internal", 500), ("unavailable", 503),
        ("no_memory", 503), ("no_randomness", 503), ("storage_failed", 507), ("store_full", 507),
        ("store_read_only", 507), ("store_corrupt", 507), ("blocklist_unusable", 500), ("code_sent", 202),
        ("reauthentication_required", 403), ("second_factor_required", 403), ("enrolment_required", 403),
        ("factor_exists", 409), ("invalid_code", 401), ("enrolment_started", 202), ("password_reset", 200),
    ])
    func `a code's name and status never change`(name: String, status: Int) throws {
        let code = try #require(NetworkResponse.Code(rawValue: name))
        #expect(code.status == status)
        #expect(NetworkResponse.Code.allCases.count == 24)
        #expect(MessageTable.english.completed(by: .flows).has("response." + name))
    }

    @Test(arguments: AccountType.allCases)
    func `every flow has a sentence for success`(type: AccountType) {
        #expect(MessageTable.english.completed(by: .flows).has("done." + type.rawValue))
    }

    @Test(arguments: AccountType.allCases)
    func `every response except a success has an alert`(type: AccountType) {
        let form = forms.form(for: type)
        for response in NetworkResponse.samples.values {
            let alert = response.alert(in: form, .english)
            #expect((alert == nil) == [.success, .passwordReset].contains(response.code))
            #expect(alert?.title != response.sentenceCode && alert?.title.contains("{") != true)
        }
    }

    @Test(arguments: AccountType.allCases)
    func `an alert is informational if the flow continues with a code`(type: AccountType) {
        for response in NetworkResponse.samples.values {
            let alert = response.alert(in: forms.form(for: type), .english)
            #expect((alert?.isInformation == true) == [.codeSent, .enrolmentStarted].contains(response.code))
        }
    }

    @Test func `a refusal names each field with the label of its form`() {
        let failures = [RuleFailure(code: .taken, field: .email), RuleFailure(code: .taken, field: .username)]
        let alert = NetworkResponse.refused(.taken, failures).alert(in: forms.form(for: .setup), .english)
        #expect(
            alert
                == AlertViewModel(
                    code: "taken", title: "Already in use",
                    lines: ["E-mail is already taken", "Username is already taken"],
                    failures: failures))
    }

    @Test func `an alert for wrong credentials reveals nothing and offers recovery`() {
        let response = NetworkResponse.refused(.invalidCredentials)
        let recovery = AlertViewModel.Action(title: "Forgot password?", meaning: .open(.forgotPassword))
        #expect(
            response.alert(in: forms.form(for: .login), .english)
                == AlertViewModel(
                    code: "invalid_credentials", title: "Wrong username or password", actions: [recovery]))
        #expect(response.alert(in: forms.form(for: .forgotPassword), .english)?.actions == [], "not to where one is")
    }

    @Test(arguments: [
        (Duration.seconds(27), 27), (.milliseconds(26_001), 27), (.milliseconds(1), 1), (.zero, 0), (.seconds(-3), 0),
        (.milliseconds(-1), 0),
    ])
    func `a wait is shown in whole seconds, rounded up`(wait: Duration, seconds: Int) {
        let alert = NetworkResponse.throttled(retryAfter: wait).alert(in: forms.form(for: .login), .english)
        #expect(alert?.title == "Too many attempts. Try again in \(seconds) s")
        #expect(alert?.retryAfter == wait && alert?.actions.map(\.meaning) == [.open(.forgotPassword)])
        #expect(wait.wholeSecondsRoundedUp == seconds)
    }
}
