import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeySecrets
import LatchkeyServer
import TestSupport
import Testing

/// The pages for administrators.
@Suite(.timeLimit(.minutes(60)))
struct AdministrationPageTests {
    /// What a client can see of a response.
    private static func visible(_ response: HTTPResponse) -> String {
        "\(response.status) " + response.headers.map { "\($0.name): \($0.value)" }.sorted().joined(separator: "\n")
            + response.text
    }

    // MARK: The gate

    /// S-240. Everyone but administrators gets the answer of an address that does not exist.
    @Test func `the administration is hidden from everyone except administrators`() async throws {
        let office = try await Office()
        let world = office.service
        try await world.world.create("mallory")
        let stranger = try await world.logInOnPage("mallory")
        let members = office.service.routes.declared.filter { $0.template.hasPrefix("/admin") }
        #expect(members.count > 30)
        #expect(
            members.allSatisfy { $0.requirements.proof == .administrator && $0.requirements.origin == .sameAfterProof })
        var targets = Set(members.map { $0.template.replacing(/\{[a-z]+\}/, with: "nobody") })
        targets.formUnion(["/admin/", "/admin/nothing", "/admin/people/", "/admin/people/nobody/nothing"])
        try await world.world.create("former")
        let former = try await world.logInOnPage("former")
        let cookies = [nil, "unreadable", stranger, former]
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE"] {
            for cookie in cookies {
                let carried = cookie.map { ["Cookie: latchkey=" + $0] } ?? []
                for sent in [[], ["Sec-Fetch-Site: same-origin"], ["Sec-Fetch-Site: cross-site"]] {
                    let unknown = try await world.send(method, "/nowhere", headers: carried + sent)
                    for target in targets {
                        let response = try await world.send(method, target, headers: carried + sent)
                        #expect(
                            Self.visible(response) == Self.visible(unknown),
                            "\(method) \(target) \(cookie ?? "-") \(sent)")
                    }
                }
            }
        }
        // Membership counts from the next request on, in both directions.
        let person = try await world.world.service.account(try #require(AccountLookup("former")))
        try await office.accounts.setMembership(of: .id(person.id), in: .administrators, to: true, by: .owner)
        #expect(try await world.open("/admin", cookie: former).status == 303)
        try await office.accounts.setMembership(of: .id(person.id), in: .administrators, to: false, by: .owner)
        #expect(try await world.open("/admin", cookie: former).status == 404)
        try await office.accounts.deleteGroup(.administrators, force: true, by: .owner)
        #expect(try await office.open("").status == 404)
    }

    @Test func `guesses below the administration spend the client's budget as everywhere`() async throws {
        for target in ["/admin", "/admin/people", "/admin/nothing", "/nowhere"] {
            let world = try ServiceWorld { $0.budgets.changes = 1 }
            #expect(try await world.send("POST", target).status == 404, "\(target)")
            #expect(try await world.send("POST", target).status == 429, "\(target)")
        }
    }

    /// S-241.
    @Test func `an administrator without a second factor is led to adding one`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        try await office.accounts.setMembership(of: .id(ada.id), in: .administrators, to: true, by: .owner)
        let cookie = try await office.service.logInOnPage("ada")
        for target in ["/admin", "/admin/people"] {
            let response = try await office.service.open(target, cookie: cookie)
            #expect(response.status == 303)
            #expect(response["Location"] == "/account/authenticator?note=admin_factor&return=/admin")
        }
        let change = try await office.service.submit("/admin/new-group", [("name", "x")], cookie: cookie)
        #expect(change.status == 303 && change["Location"]?.hasPrefix("/account/authenticator") == true)
        #expect(try await office.accounts.groups().count == 1)
    }

    /// S-241.
    @Test func `a change needs our own page and a recent password`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        for origin in ["Sec-Fetch-Site: cross-site", "Origin: https://evil.example", "Sec-Fetch-Site: none"] {
            let response = try await office.service.send(
                "POST", "/admin" + office.path(ada), "do=require",
                headers: [
                    "Content-Type: application/x-www-form-urlencoded", "Cookie: latchkey=" + office.cookie, origin,
                ])
            #expect(response.status == 403, "\(origin)")
        }
        office.service.world.clock.advance(by: .seconds(301))
        let asked = try await office.post(office.path(ada), ("do", "require"))
        #expect(asked.status == 303)
        #expect(
            asked["Location"]?.hasSuffix("?return=/admin/people/\(ada.id.text)%3Fnote%3Dconfirmed") == true,
            "\(asked["Location"] ?? "")")
        #expect(try await office.open(office.path(ada) + "?note=confirmed").text.contains("make the change again"))
        let form = try await office.open("/new-group")
        #expect(form.status == 303 && form["Location"]?.contains("return=/admin/new-group") == true)
        #expect(try await office.open("/people").status == 200, "reading needs no password")
        #expect(try await office.accounts.account(.id(ada.id)).mustChangePassword == false)
    }

    // MARK: Pages

    /// S-242.
    @Test func `every page is shown, without secrets and with the values of people as text`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        _ = try await office.accounts.createGroup(
            try #require(GroupName("staff")), title: "<script>x</script>", by: .owner)
        let hostile = "<script>alert(1)</script>\u{202E}"
        _ = try await office.service.submit(
            "/login", [("username", "ada"), ("password", World.password)], headers: ["User-Agent: " + hostile])
        let token = try #require(
            try await office.accounts.createToken("<b>bold</b>", scopes: [.signUp], lifetime: .seconds(60), by: .owner))
        let client = ClientSettings(of: try #require(ClientID("wiki")))
        _ = try await office.accounts.addClient("wiki", client, by: .owner)
        let pages = [
            "", "/people", "/people?q=a", "/people?show=locked", "/people?group=admins", office.path(ada),
            office.path(ada) + "/profile", office.path(ada) + "/delete", office.path(ada) + "/disable",
            office.path(ada) + "/reset-factors", office.path(ada) + "/end-sessions", "/sessions", "/audit",
            "/audit?show=failures", "/audit?who=ada&from=192.0.2.1&since=2020-01-01", "/audit?who=nobody",
            "/invitations",
            "/invite", "/groups", "/groups/staff", "/groups/staff/rename", "/groups/staff/delete", "/new-group",
            "/settings", "/applications", "/applications/wiki", "/applications/wiki?who=ada",
            "/applications/wiki/settings", "/applications/wiki/disable", "/applications/wiki/remove",
            "/new-application",
        ]
        for page in pages {
            let response = try await office.open(page)
            #expect(response.status == 200, "\(page): \(response.status) \(response.text)")
            #expect(!response.text.contains("<script>") && !response.text.contains("<b>"), "\(page)")
            #expect(!response.text.contains("\u{202E}"), "\(page)")
            #expect(response.text.firstMatch(of: /lk[a-z]_[\w-]{20}/) == nil, "\(page)")
            #expect(!response.text.contains("$argon2"), "\(page)")
            #expect(!response.text.contains(token.1.text), "\(page)")
            #expect(!response.text.contains(">admin.") && !response.text.contains(">web."), "\(page)")
        }
        for page in ["/people/nobody", "/people/" + ada.id.text + "/nothing", "/groups/nobody", "/applications/nobody"]
        {
            #expect(try await office.open(page).status == 404, "\(page)")
        }
    }

    /// S-244.
    @Test func `a page has fifty people, and the last one is marked`() async throws {
        let office = try await Office()
        for number in 100..<152 { try await office.service.world.create("p\(number)") }
        let first = try await office.open("/people?q=p1")
        #expect(first.text.utf8.count <= 30_000, "\(first.text.utf8.count)")
        #expect(first.text.matches(of: /<tr role="row"><td/).count == 50)
        #expect(first.text.contains("50 on this page"))
        let next = try #require(first.text.firstMatch(of: /href="(\/admin\/people\?[^"]*after=[^"]*)"/))
        let second = try await office.service.open(
            String(next.output.1).replacing("&amp;", with: "&"), cookie: office.cookie)
        #expect(second.text.matches(of: /<tr role="row"><td/).count == 2)
        #expect(second.text.contains("The last 2. This is the last page"))
        // Also by address, in any case; and only by the beginning.
        #expect(try await office.open("/people?q=P150%40EXAMPLE").text.matches(of: /<tr role="row"><td/).count == 1)
        #expect(try await office.open("/people?q=150").text.contains("No people found"))
    }

    // MARK: Changes

    @Test func `everything that can be done for a person is done, and recorded as the administrator's`() async throws {
        let office = try await Office()
        let (ada, _, _) = try await office.service.world.createWithFactor("ada")
        let staff = try #require(GroupName("staff"))
        _ = try await office.accounts.createGroup(staff, by: .owner)
        let page = office.path(ada)
        func state() async throws -> Account { try await office.accounts.account(.id(ada.id)) }
        func done(_ response: HTTPResponse, _ note: String, at place: String? = nil) async throws {
            let expected = "/admin" + (place ?? page) + "?note=" + note
            #expect(response.status == 303 && response["Location"] == expected, "\(response.text)")
        }
        try await done(try await office.post(page, ("join", "staff")), "added")
        #expect(try await office.accounts.groups(of: .id(ada.id)) == [staff])
        #expect(try await office.lastRecord().actor == .account(office.olga.id))
        #expect(try await office.lastRecord().context?.actingAccount == office.olga.id)
        try await done(try await office.post(page, ("join", "staff")), "nothing")
        try await done(try await office.post(page, ("leave", "staff")), "removed")
        try await done(try await office.post(page, ("do", "require")), "required")
        #expect(try await state().mustChangePassword)
        try await done(try await office.post(page, ("do", "unlock")), "unlocked")
        try await done(try await office.post(page, ("do", "link")), "link_kept")
        let session = try #require(try await office.accounts.sessions(of: .id(ada.id)).first)
        try await done(try await office.post(page, ("sure_end", session.shortID)), "ended_one")
        try await done(try await office.post(page, ("sure_end", session.shortID)), "nothing")
        try await done(try await office.post(page + "/reset-factors", ("do", "reset-factors")), "factors_removed")
        #expect(try await office.accounts.factors(of: .id(ada.id)).authenticator == nil)
        try await done(try await office.post(page + "/end-sessions", ("do", "end-sessions")), "nothing")
        try await done(try await office.post(page + "/disable", ("do", "disable")), "disabled")
        #expect(try await state().state == .disabled)
        #expect(try await office.post(page, ("do", "link")).status == 409, "no link for a disabled account")
        try await done(try await office.post(page, ("do", "enable")), "enabled")
        let events = try await office.open(page).text
        #expect(events.contains("Password set just now"))
        for words in ["Account enabled", "Account disabled", "Account unlocked", "New password required"] {
            #expect(events.contains(words), "\(words)")
        }
        let refused = try await office.post(page + "/profile", ("username", "ada"), ("email_field", "not an address"))
        #expect(refused.status == 422 && refused.text.contains("not an address"))
        try await done(
            try await office.post(page + "/profile", ("username", "ada"), ("email_field", "new@example.org")), "changed"
        )
        #expect(try await state().email.typed == "new@example.org")
        let mistyped = try await office.post(page + "/delete", ("sure", "grace"), ("do", "delete"))
        #expect(mistyped.status == 422 && mistyped.text.contains(#"aria-invalid="true""#))
        try await done(
            try await office.post(page + "/delete", ("sure", "ADA"), ("do", "delete")), "deleted", at: "/people")
        #expect(try await office.open(page).status == 404)
        let actors = try await office.accounts.recentAudit(limit: 11).rows.compactMap {
            $0.record.map { $0.name + " " + $0.actor.text }
        }
        #expect(
            actors.allSatisfy { $0.hasSuffix(" account:" + office.olga.id.text) }, "\(actors.joined(separator: "; "))")
        #expect(try await office.accounts.verifyAudit().finding == .intact)
        #expect(try await office.post(page, ("do", "unlock")).status == 404)
    }

    /// S-243.
    @Test func `making an administrator needs a confirmation`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        let page = office.path(ada)
        let name = office.accounts.settings.administrators
        for (place, field) in [(page, ("join", name.text)), ("/groups/" + name.text, ("join", "ada"))] {
            let asked = try await office.post(place, field)
            #expect(asked["Location"] == "/admin" + page + "/make-administrator")
        }
        #expect(try await office.post(page, ("join", ""))["Location"] == "/admin" + page + "?note=nothing")
        #expect(try await office.accounts.groups(of: .id(ada.id)) == [])
        #expect(try await office.open(page + "/make-administrator").text.contains("Make ada an administrator?"))
        let done = try await office.post(page + "/make-administrator", ("do", "make-administrator"))
        #expect(done["Location"] == "/admin" + page + "?note=added")
        #expect(try await office.accounts.groups(of: .id(ada.id)) == [name])
    }

    /// S-243.
    @Test func `administrators cannot lock themselves out`() async throws {
        let office = try await Office()
        let page = office.path(office.olga)
        for danger in ["reset-factors", "disable", "delete"] {
            #expect(try await office.open(page + "/" + danger).status == 403)
            let response = try await office.post(page + "/" + danger, ("do", danger), ("sure", "olga"))
            #expect(response.status == 403)
        }
        #expect(try await office.post(page, ("leave", "admins")).status == 403)
        #expect(try await office.post("/groups/admins", ("leave", office.olga.id.text)).status == 403)
        #expect(try await office.post("/groups/admins/delete", ("do", "delete")).status == 403)
        #expect(try await office.open(page).text.contains("This is your own account"))
        #expect(try await office.open("").status == 200)
    }

    @Test func `two administrators who change one person at once leave a consistent account`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        let page = office.path(ada)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<16 {
                group.addTask {
                    try await office.post(
                        number.isMultiple(of: 2) ? page + "/disable" : page,
                        ("do", number.isMultiple(of: 2) ? "disable" : "enable")
                    ).status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == 303 })
        #expect(try await office.accounts.verifyAudit().finding == .intact)
    }

    @Test func `groups are created, renamed, filled and deleted`() async throws {
        let office = try await Office()
        try await office.service.world.create("ada")
        let bad = try await office.post("/new-group", ("name", "Bad Name"), ("title", "kept"))
        #expect(bad.status == 422 && bad.text.contains("Bad Name") && bad.text.contains("kept"))
        #expect(try await office.post("/new-group", ("name", "staff"), ("title", "")).status == 303)
        let again = try await office.post("/new-group", ("name", "staff"), ("title", ""))
        #expect(again.status == 409 && again.text.contains("There is a group with that name already"))
        #expect(try await office.post("/groups/staff", ("join", "ada@example.org")).status == 303)
        let unknown = try await office.post("/groups/staff", ("join", "nobody"))
        #expect(unknown.status == 422 && unknown.text.contains("There is no account nobody"))
        #expect(unknown.text.contains(#"aria-describedby="field-join-error""#), "the error is at the field")
        #expect(unknown.text.contains(#"value="nobody""#))
        var settings = ClientSettings(name: "Wiki")
        settings.groups = ["staff"]
        _ = try await office.accounts.addClient("wiki", settings, by: .owner)
        let question = try await office.open("/groups/staff/delete")
        #expect(question.status == 409 && question.text.contains("Remove the group there first: Wiki."))
        try await office.accounts.removeClient("wiki", by: .owner)
        #expect(try await office.open("/groups/staff/delete").text.contains("Delete the group staff?"))
        let renamed = try await office.post("/groups/staff/rename", ("name", "crew"), ("title", "All"))
        #expect(renamed["Location"] == "/admin/groups/crew?note=changed")
        #expect(try await office.open("/groups/crew").text.contains("ada@example.org"))
        _ = try await office.accounts.createToken(
            "Grace", scopes: [.signUp], groups: [try #require(GroupName("crew"))], lifetime: nil, by: .owner)
        let used = try await office.post("/groups/crew/delete", ("do", "delete"))
        #expect(used.status == 409 && used.text.contains("invitation:"))
        let invitation = try #require(try await office.accounts.tokens().first { $0.isInvitation })
        #expect(try await office.post("/invitations", ("sure_revoke", invitation.id)).status == 303)
        #expect(try await office.post("/groups/crew/delete", ("do", "delete")).status == 303)
        #expect(try await office.accounts.groups().map(\.group.name) == [.administrators])
    }

    @Test func `the administration is in English for every browser`() async throws {
        let office = try await Office()
        let page = try await office.service.open("/admin", cookie: office.cookie, headers: ["Accept-Language: pt"])
        #expect(page.text.contains(#"<html lang="en"#) && page.text.contains(">People<"), "\(page.text)")
    }

    @Test func `an application is added, changed, given a secret, disabled and removed`() async throws {
        let office = try await Office()
        let fields = [
            ("name", "Wiki"), ("redirect_uris", "https://wiki.example.org/cb\r\nhttps://wiki.example.org/two"),
            ("scopes", "openid, profile"), ("groups", ""), ("grants", ""), ("grants", "code"), ("consent", "ask"),
            ("require", "aal1"), ("algorithm", "RS256"), ("public", "false"),
        ]
        let bad = try await office.service.submit(
            "/admin/new-application", [("client_id", "wiki"), ("redirect_uris", "http://wiki.example.org/cb")],
            cookie: office.cookie)
        #expect(bad.status == 422 && bad.text.contains("http://wiki.example.org/cb"), "\(bad.text)")
        let added = try await office.service.submit(
            "/admin/new-application", [("client_id", "wiki")] + fields, cookie: office.cookie)
        #expect(added.status == 200 && added.text.contains("It will not be shown again"), "\(added.text)")
        let client = try #require(try await office.accounts.client("wiki"))
        #expect(client.settings.redirectURIs.count == 2 && client.settings.scopes == ["openid", "profile"])
        let secret = try #require(added.text.firstMatch(of: /id="secret"[^>]*>([^<]+)</)).output.1
        #expect(office.accounts.verifies(Secret(String(secret)), of: client))
        let shown = try await office.open("/applications/wiki").text
        for part in [
            #"<bdi class="code" id="connection-2">wiki</bdi>"#, #"data-copy="connection-1""#, "Login in the browser",
            "Asks people first", "/.well-known/openid-configuration</bdi>", "<dd><bdi>Everyone</bdi></dd>",
        ] { #expect(shown.contains(part), "\(part): \(shown)") }
        #expect(!shown.contains("There is no group"))
        _ = try await office.accounts.updateClient("wiki", by: .owner) { $0.settings.groups = ["crew"] }
        #expect(try await office.open("/applications/wiki").text.contains("There is no group crew yet"))
        _ = try await office.accounts.updateClient("wiki", by: .owner) { $0.settings.groups = [] }
        let second = try await office.post("/applications/wiki", ("do", "secret"))
        #expect(second.status == 200 && second.text.contains("id=\"secret\""))
        #expect(try await office.post("/applications/wiki", ("do", "secret")).status == 409)
        #expect(try await office.post("/applications/wiki", ("sure_do", "retire")).status == 303)
        let changed = try await office.service.submit(
            "/admin/applications/wiki/settings", fields.map { $0.0 == "name" ? ("name", "Notes") : $0 },
            cookie: office.cookie)
        #expect(changed.status == 303, "\(changed.text)")
        #expect(try await office.accounts.client("wiki")?.settings.name == "Notes")
        #expect(try await office.post("/applications/wiki/disable", ("do", "confirm")).status == 303)
        #expect(try await office.accounts.client("wiki")?.isDisabled == true)
        #expect(try await office.open("/applications/wiki?who=olga").text.contains("gets no access"))
        #expect(try await office.post("/applications/wiki", ("do", "enable")).status == 303)
        let explained = try await office.open("/applications/wiki?who=olga")
        #expect(explained.text.contains("preferred_<wbr>username"))
        #expect(try await office.post("/applications/wiki/remove", ("do", "confirm")).status == 303)
        #expect(try await office.accounts.clients().isEmpty)
    }

    @Test func `a list of people and sessions names what is missing, and sessions are found by a name`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        _ = try await office.service.logInOnPage("ada")
        let people = try await office.open("/people?q=ada").text
        #expect(people.matches(of: #/<span class="help">\s*<bdi>None</bdi>/#).count == 2, "groups and factors")
        let all = try await office.open("/sessions").text
        #expect(all.contains(office.path(ada)) && all.contains(office.path(office.olga)))
        #expect(all.contains(#"<span class="away">Action</span>"#))
        for name in ["ada", "ADA@example.org", ada.id.text] {
            let found = try await office.open("/sessions?q=" + name).text
            #expect(found.contains(office.path(ada)) && !found.contains(office.path(office.olga)), "\(name)")
        }
        let none = try await office.open("/sessions?q=bob").text
        #expect(none.contains("“bob” is not logged in. Enter a complete username or e-mail address."))
    }

    @Test func `filters have the number of people, and an empty list names what is active`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        _ = try await office.service.world.create("grace", mustChangePassword: true)
        try await office.accounts.set(.disabled, of: .id(ada.id), by: .owner)
        let all = try await office.open("/people").text
        for filter in [
            "All 3", "Active 2", "Disabled 1", "Waits for confirmation 0", "Locked 0", "Must change password 1",
            "No second factor 2",
        ] { #expect(all.contains(">" + filter + "<"), "\(filter)") }
        #expect(try await office.open("/people?q=a").text.contains(">Disabled<"), "a search has other numbers")
        for (query, words) in [
            ("show=locked", "The filter is “Locked”."),
            ("q=zed", "No username and no address begins with “zed”."),
            ("q=zed&show=locked", "No username and no address begins with “zed”. The filter is “Locked”."),
            ("group=staff", "Only members of staff are shown."),
        ] {
            let page = try await office.open("/people?" + query).text
            #expect(!page.contains("All 0"), "\(query)")
            #expect(page.contains(words) && page.contains(#"href="/admin/people">Show all people"#), "\(query)")
        }
    }

    @Test func `a confirmation names only what exists, and leads back`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        let path = office.path(ada)
        #expect(try await !office.open(path + "/delete").text.contains("With it go"))
        _ = try await office.service.logInOnPage("ada")
        let question = try await office.open(path + "/delete").text
        #expect(question.contains("With it go 1 session.") && question.contains(">Keep the account<"))
        _ = try await office.accounts.createGroup(try #require(GroupName("staff")), by: .owner)
        #expect(try await office.open("/groups/staff/delete").text.contains("The group has no members."))
        for page in ["/disable", "/reset-factors", "/end-sessions", "/make-administrator"] {
            let question = try await office.open(path + page).text
            #expect(question.contains(#"href="/admin\#(path)">Cancel<"#), "\(page)")
            #expect(question.contains(#"<a class="back" href="/admin\#(path)""#), "\(page)")
        }
    }

    @Test func `the page of a person offers what they have, and says whether their address is confirmed`() async throws
    {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        let person = try await office.open(office.path(ada)).text
        #expect(person.contains("Not confirmed") && !person.contains("/reset-factors"))
        let (eve, _, _) = try await office.service.world.createWithFactor("eve")
        #expect(try await office.open(office.path(eve)).text.contains("/reset-factors"))
    }

    @Test func `the last page of a filtered search has no link to a next page`() async throws {
        let office = try await Office()
        _ = try await office.service.world.create("ada")
        for query in ["show=disabled&q=ada", "show=active&q=ada", "show=no-factor&q=ada"] {
            let page = try await office.open("/people?" + query).text
            #expect(!page.contains("and stopped") && !page.contains(">Next<"), "\(query): \(page)")
            #expect(page.contains("ada@example.org") == !query.contains("disabled"), "\(query)")
        }
    }

    @Test func `a page after a change shows the new state`() async throws {
        let office = try await Office()
        _ = try await office.accounts.addClient("wiki", ClientSettings(name: "Wiki"), by: .owner)
        let secret = try await office.post("/applications/wiki", ("do", "secret"))
        #expect(secret.text.contains("Two, both valid"))
        #expect(try await office.open("").text.contains("client: wiki"), "which application was changed")
        let own = try await office.open(office.path(office.olga)).text
        let sessions = try await office.accounts.sessions(of: .id(office.olga.id)).count
        #expect(own.matches(of: /This session/).count == 1)
        #expect(own.matches(of: /name="end"/).count == sessions - 1, "an administrator does not end the own session")
    }

    @Test func `the form of an application has words for its options`() async throws {
        let page = try await Office().open("/new-application").text
        for words in [
            "A second factor or a passkey", "Does not ask people", "Devices without a browser",
            "<h2>Main settings</h2>", "<h2>More settings</h2>",
        ] { #expect(page.contains(words), "\(words)") }
        #expect(!page.contains("aal2: only"), "the words of files are not on the page")
    }

    @Test func `the account page of an administrator leads to the administration`() async throws {
        let office = try await Office()
        #expect(try await office.service.open("/account", cookie: office.cookie).text.contains(#"href="/admin""#))
        try await office.service.world.create("ada")
        let other = try await office.service.logInOnPage("ada")
        #expect(try await !office.service.open("/account", cookie: other).text.contains("/admin"))
    }
}
