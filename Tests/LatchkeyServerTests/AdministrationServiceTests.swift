import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// What administrators see of the whole service: the overview, invitations, mail and the audit trail.
@Suite(.timeLimit(.minutes(60)))
struct AdministrationServiceTests {
    @Test func `an invitation is shown once, sent by mail, used and withdrawn`() async throws {
        let office = try await Office { $0.registration = .invited }
        let empty = try await office.post("/invite", ("name", ""), ("email_field", "no"), ("days", "7"))
        #expect(empty.status == 422 && empty.text.contains("Name of the person is required"))
        let made = try await office.post(
            "/invite", ("name", "Grace"), ("email_field", "grace@example.org"), ("days", "3"), ("groups", ""),
            ("groups", "admins"))
        #expect(made.status == 200, "\(made.text)")
        let link = try #require(made.text.firstMatch(of: />(http:[^<]*invitation=lko_[\w-]+)</)).output.1
        #expect(made.text.contains("Copy the link now. It will not be shown again."))
        let message = try #require(office.service.world.mailer.delivered.last)
        #expect(message.recipient?.typed == "grace@example.org" && message.body.contains(link))
        #expect(try await !office.open("/invitations").text.contains("lko_"))
        let path = String(link.trimmingPrefix("http://localhost:8421"))
        #expect(try await office.service.open(path).status == 200)
        let token = try #require(try await office.accounts.tokens().first)
        #expect(try await office.post("/invitations", ("sure_revoke", token.id)).status == 303)
        #expect(try await office.service.open(path).status == 403)
        // The token of a program is not an invitation.
        let other = try #require(
            try await office.accounts.createToken("ci", scopes: [.readAccounts], lifetime: nil, by: .owner))
        #expect(try await office.post("/invitations", ("revoke", other.0.id))["Location"]?.hasSuffix("nothing") == true)
        #expect(try await office.accounts.tokens().count == 1)
    }

    @Test func `the overview draws the logins and failures of the last days`() async throws {
        let office = try await Office()
        _ = try await office.service.world.create("ada")
        let day = Duration.seconds(86_400)
        for password in ["wrong", "wrong", World.password] {
            _ = try await office.service.submit("/login", [("username", "ada"), ("password", password)])
        }
        // The first count runs in the background.
        var page = ""
        for _ in 0..<1000 where !page.contains("Logins on each") { page = try await office.open("").text }
        #expect(page.contains(#"<svg class="chart" viewBox="0 0 560 120""#) && page.contains(#"role="img""#))
        #expect(page.contains("Logins on each of the last 14 days: 0 to 3 worked. Most failures: 2, on "))
        #expect(page.matches(of: #/<rect x=/#).count == 14 && page.matches(of: #/<rect class="bad"/#).count == 1)
        #expect(!page.contains("Only the newest"))
        // Each record is counted for its own day.
        office.service.world.clock.advance(by: day)
        let now = office.service.world.clock.now()
        let times = [-2, -1, 0].map { now.advanced(by: day * $0) }
        let counts = try await office.accounts.auditCounts(between: times)
        #expect(counts.isAll && counts.byName[1]["authn_login_fail"] == 2)
        #expect(counts.byName[0]["authn_login_fail"] ?? 0 == 0 && counts.byName[2]["authn_login_fail"] ?? 0 == 0)
    }

    @Test func `the overview has a row for each subject of the checks, and few events`() async throws {
        let office = try await Office {
            $0.facts.checkStore = {
                [
                    ServiceFacts.Check(name: "file", text: "", verdict: .sound),
                    ServiceFacts.Check(name: "library", text: "An old SQLite", verdict: .warning),
                    ServiceFacts.Check(name: "audit", text: "", verdict: .sound),
                    ServiceFacts.Check(name: "queue", text: "Messages wait", verdict: .bad),
                    ServiceFacts.Check(name: "mail", text: "", verdict: .sound),
                ]
            }
        }
        _ = try await office.service.world.create("ada")
        for password in ["wrong", "wrong", World.password] {
            _ = try await office.service.submit("/login", [("username", "ada"), ("password", password)])
        }
        var page = ""
        for _ in 0..<1000 where !page.contains("An old SQLite") || !page.contains("Logins on each") {
            page = try await office.open("").text
        }
        let text = page.replacing("\n", with: "")
        for row in [
            #"Store</strong> <span class="badge wait">Warning</span><p class="help" dir="auto">An old SQLite</p>"#,
            #"Mail</strong> <span class="badge bad">Failed</span><p class="help" dir="auto">Messages wait</p>"#,
            #"Audit trail</strong> <span class="badge good">OK</span><p class="help" dir="auto">Intact</p>"#,
        ] { #expect(text.contains(row), "\(row) \(page)") }
        #expect(text.matches(of: #/>Store</#).count == 1 && !text.contains(">library<") && !text.contains(">Keys<"))
        #expect(text.contains("ada: Wrong password, 2 times"))
        let again = try await office.post("", ("do", "check"))
        #expect(again["Location"] == "/admin?note=checking")
        #expect(try await office.open("?note=checking").text.contains("The checks run"))
        #expect(!text.contains("Session started") && text.contains("ada: Logged in after failures"))
        let months = #/<span>\d{1,2} [A-Z][a-z]+</span>/#
        #expect(text.matches(of: months).count == 2, "the first and the last day of the chart")
    }

    @Test func `a used invitation names the address, and who had invited the person`() async throws {
        let office = try await Office { $0.registration = .invited }
        let made = try await office.accounts.createToken(
            "Grace", scopes: [.signUp], lifetime: nil, by: .account(office.olga.id))
        _ = try await office.accounts.invited(by: try #require(made).1).create(
            AccountDraft(username: "grace", email: "grace@example.org", password: Secret(World.password)), by: .owner)
        let page = try await office.open("/invitations").text
        #expect(page.contains("grace@example.org · signed up just now · invited just now by olga"), "\(page)")
    }

    @Test func `a used invitation names the address of a sign-up that waits for its confirmation`() async throws {
        let office = try await Office { $0.registration = .invited }
        let made = try await office.accounts.createToken(
            "Grace", scopes: [.signUp], lifetime: nil, by: .account(office.olga.id))
        _ = try await office.accounts.forStrangers.invited(by: try #require(made).1).create(
            AccountDraft(username: "grace", email: "grace@example.org"), by: .owner)
        let page = try await office.open("/invitations").text
        #expect(page.contains("grace@example.org"), "\(page)")
        #expect(page.contains("Waits for confirmation") && !page.contains("Deleted account"), "\(page)")
    }

    @Test func `a test message that fails turns the state of the mail server`() async throws {
        let office = try await Office { $0.facts.sendsMail = true }
        #expect(try await office.open("/settings").text.contains("No message waits after a failure"))
        office.service.world.mailer.fail(.exited(status: 75))
        let failed = try await office.post("/settings", ("do", "test"))
        #expect(failed.status == 502 && failed.text.matches(of: /The mailer says/).count == 2, "\(failed.text)")
        #expect(!failed.text.contains("No message waits after a failure"))
    }

    @Test(arguments: [false, true])
    func `without a mailer, pages report that messages stay in the outbox`(sendsMail: Bool) async throws {
        let office = try await Office { $0.facts.sendsMail = sendsMail }
        let ada = try await office.service.world.create("ada")
        let test = try await office.post("/settings", ("do", "test")).text
        let link = try await office.post(office.path(ada), ("do", "link"))
        let note = try await office.open(String(try #require(link["Location"]).dropFirst("/admin".count))).text
        let invited = try await office.post(
            "/invite", ("name", "Grace"), ("email_field", "grace@example.org"), ("days", "3"), ("groups", "")
        ).text
        for page in [test, note, invited] {
            #expect(page.contains("is on its way") == sendsMail && page.contains("Nothing sends mail, so") != sendsMail)
        }
    }

    @Test func `the trail is searched and downloaded`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        let wrong = try await office.service.submit(
            "/login", [("username", "ada"), ("password", "wrong password here")])
        #expect(wrong.status == 422)
        let failures = try await office.open("/audit?show=failures")
        #expect(failures.text.contains("Wrong password") && !failures.text.contains("Account created"))
        #expect(!failures.text.contains("wrong_password"), "the reason is in words")
        let staff = try #require(GroupName("old_staff"))
        _ = try await office.accounts.createGroup(staff, by: .owner)
        try await office.accounts.setMembership(of: .id(ada.id), in: staff, to: true, by: .owner)
        #expect(try await office.open("/audit").text.contains("groups: old_staff"))
        let own = try await office.open("/audit?who=ada")
        #expect(own.text.contains("Account created") && !own.text.contains(">olga</a></td>"))
        #expect(try await office.open("/audit?from=192.0.2.9").text.contains("No records found"))
        #expect(try await office.open("/audit?since=tomorrow").text.contains("is not valid"))
        let file = try await office.open("/audit/download?who=" + ada.id.text)
        #expect(
            file["Content-Type"] == "application/jsonl" && file["Content-Disposition"]?.contains("audit.jsonl") == true)
        let lines = file.text.split(separator: "\n")
        let sequences = try lines.map { try #require(JSONValue(line: Array($0.utf8))?["sequence"]?.integer) }
        #expect(sequences == sequences.sorted() && sequences.count >= 2)
    }

    @Test func `the mail server is tested with a message to the administrator`() async throws {
        let office = try await Office()
        let before = office.service.world.mailer.delivered.count
        let response = try await office.post("/settings", ("do", "test"))
        #expect(response.status == 200 && response.text.contains("olga@example.org"))
        #expect(office.service.world.mailer.delivered.count == before + 1)
    }
}
