import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// What keeps the forms and buttons of the administration from undoing the work of others.
@Suite(.timeLimit(.minutes(60))) struct AdministrationFormTests {
    private static var wiki: ClientSettings {
        var settings = ClientSettings(name: "Wiki")
        settings.redirectURIs = ["https://wiki.example.org/cb"]
        return settings
    }

    private static func version(in page: HTTPResponse) throws -> String {
        String(try #require(page.text.firstMatch(of: /name="version" value="([0-9a-f]+)"/)).output.1)
    }

    @Test func `a person whom another administrator has changed is not changed back`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        let form = office.path(ada) + "/profile"
        let version = try Self.version(in: try await office.open(form))
        _ = try await office.accounts.update(
            .id(ada.id), ProfileDraft(email: "new@example.org"), by: .owner)
        let fields = [("username", "countess"), ("email_field", "ada@example.org")]
        let conflict = try await office.post(form, fields + [("version", version)])
        #expect(conflict.status == 409, "\(conflict.text)")
        for part in ["Someone has changed this", "new@example.org", "value=\"countess\""] {
            #expect(conflict.text.contains(part), "\(part): \(conflict.text)")
        }
        #expect(try await office.accounts.account(.id(ada.id)).email.typed == "new@example.org")
        // Saving again overwrites the new address.
        let again = try await office.post(form, fields + [("version", try Self.version(in: conflict))])
        #expect(again.status == 303, "\(again.text)")
        #expect(try await office.accounts.account(.id(ada.id)).email.typed == "ada@example.org")
    }

    @Test func `an application that another administrator has changed is not changed back`() async throws {
        let office = try await Office()
        let settings = Self.wiki
        _ = try await office.accounts.addClient("wiki", settings, by: .owner)
        let form = "/applications/wiki/settings"
        let version = try Self.version(in: try await office.open(form))
        try await office.accounts.updateClient("wiki", by: .owner) { $0.settings.name = "Notes" }
        let fields = [
            ("name", "Wiki"), ("redirect_uris", "https://wiki.example.org/cb"), ("scopes", "openid"), ("groups", ""),
            ("grants", ""), ("grants", "code"), ("consent", "ask"), ("require", "aal1"), ("algorithm", "RS256"),
            ("public", "false"),
        ]
        let conflict = try await office.post(form, fields + [("version", version)])
        #expect(conflict.status == 409 && conflict.text.contains("Name is now: Notes"), "\(conflict.text)")
        #expect(try await office.accounts.client("wiki")?.settings.name == "Notes")
    }

    @Test func `a refused setting of an application is marked at its field`() async throws {
        let office = try await Office()
        _ = try await office.accounts.addClient("wiki", Self.wiki, by: .owner)
        let rest = [
            ("name", "Notes"), ("scopes", "openid"), ("groups", ""), ("grants", ""), ("grants", "code"),
            ("consent", "ask"), ("require", "aal1"), ("algorithm", "RS256"), ("public", "false"),
        ]
        for (id, address, part) in [
            ("notes", "http://notes.example.org/cb", #"id="field-redirect_uris-error""#),
            ("wiki", "https://notes.example.org/cb", #"id="field-client_id-error""#),
        ] {
            let page = try await office.post(
                "/new-application", rest + [("client_id", id), ("redirect_uris", address)])
            #expect(page.status == 422 && page.text.contains(part), "\(page.text)")
            #expect(page.text.contains(#"value="Notes""#), "what was typed stays")
        }
        let broken = [("client_id", "notes"), ("redirect_uris", "https://n.example.org/cb"), ("claims", "{no")]
        let claims = try await office.post("/new-application", rest + broken)
        #expect(claims.status == 422 && claims.text.contains("Claims must be a JSON object"), "\(claims.text)")
        #expect(try await office.accounts.clients().count == 1)
    }

    @Test func `a group that another administrator has changed is not changed back`() async throws {
        let office = try await Office()
        let staff = try #require(GroupName("staff"))
        _ = try await office.accounts.createGroup(staff, by: .owner)
        let form = "/groups/staff/rename"
        let version = try Self.version(in: try await office.open(form))
        _ = try await office.accounts.changeGroup(staff, title: "Everyone", by: .owner)
        let conflict = try await office.post(form, [("name", "crew"), ("title", ""), ("version", version)])
        #expect(conflict.status == 409 && conflict.text.contains("is now: Everyone"), "\(conflict.text)")
        #expect(try await office.accounts.group(staff).group.title == "Everyone")
    }

    @Test(arguments: [
        ("/invite", "name", "Grace Hopper"), ("/new-application", "client_id", "calendar"),
        ("/groups/staff/rename", "title", "All of them"), ("PERSON/profile", "username", "countess"),
    ])
    func `a form that is sent too long after the login keeps what was typed`(
        path: String, field: String, typed: String
    ) async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        _ = try await office.accounts.createGroup(try #require(GroupName("staff")), by: .owner)
        let path = path.replacing("PERSON", with: office.path(ada))
        office.service.world.clock.advance(by: .seconds(301))
        let before = try await office.lastRecord()
        let page = try await office.post(path, [(field, typed)])
        #expect(page.status == 403)
        #expect(page.text.contains("value=\"\(typed)\"") && page.text.contains("Nothing was saved yet"), "\(page.text)")
        #expect(try await office.lastRecord() == before)
        // The link leads back to a page that says what to do next.
        let link = try #require(page.text.firstMatch(of: /return=\/admin([^"]*)" target="_blank"/)).output.1
        let place = String(link).replacing("%3F", with: "?").replacing("%3D", with: "=")
        #expect(try await office.open(place).text.contains("Your form waits in the other tab"), "\(place)")
    }

    @Test func `what cannot be undone is asked first, and names what is lost`() async throws {
        let office = try await Office()
        let ada = try await office.service.world.create("ada")
        _ = try await office.accounts.createSession(of: .id(ada.id), by: .owner)
        let session = try #require(try await office.accounts.sessions(of: .id(ada.id)).first)
        _ = try await office.accounts.createToken("Grace", scopes: [.signUp], lifetime: nil, by: .owner)
        let token = try #require(try await office.accounts.tokens().first)
        let settings = Self.wiki
        _ = try await office.accounts.addClient("wiki", settings, by: .owner)
        _ = try await office.accounts.addClientSecret(to: "wiki", by: .owner)
        let before = try await office.lastRecord()
        for (path, name, value, title) in [
            (office.path(ada), "end", session.shortID, "End this session of ada?"),
            ("/sessions", "end", ada.id.text + " " + session.shortID, "End this session of ada?"),
            ("/invitations", "revoke", token.id, "Withdraw the invitation for Grace?"),
            ("/applications/wiki", "do", "retire", "Delete the older secret of Wiki?"),
        ] {
            let question = try await office.post(path, [(name, value)])
            #expect(question.status == 200 && question.text.contains(title), "\(question.text)")
            #expect(question.text.contains("name=\"sure_\(name)\" value=\"\(value)\""), "\(question.text)")
        }
        #expect(try await office.lastRecord() == before)
        #expect(try await office.post("/sessions", ("sure_end", ada.id.text + " " + session.shortID)).status == 303)
        #expect(try await office.accounts.sessions(of: .id(ada.id)).isEmpty)
    }
}
