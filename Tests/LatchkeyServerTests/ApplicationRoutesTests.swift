import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// Applications in the API.
@Suite(.timeLimit(.minutes(60)))
struct ApplicationRoutesTests {
    private let world: ServiceWorld
    private let token: String

    init() async throws {
        world = try ServiceWorld()
        let made = try await world.world.service.createToken(
            "ci", scopes: [.readApplications, .writeApplications], lifetime: nil, by: .operatingSystemUser(7))
        token = try #require(made).1.text
        let added = try await send("POST", "", #"{"client_id":"wiki","redirect_uris":["https://wiki.example.org/cb"]}"#)
        #expect(added.status == 200, "\(added.text)")
    }

    private func send(_ method: String, _ path: String, _ body: String = "") async throws -> HTTPResponse {
        try await world.send(method, "/api/v1/applications" + path, body, token: token)
    }

    /// S-222.
    @Test(
        arguments: [
            (#"[]"#, 400, "bad_application_body", "Send a JSON object with the settings", "no object"),
            (
                #"{"values":{"name":"x"}}"#, 422, "unknown_application_setting", "no setting values",
                "the shape of a form"
            ),
            (
                #"{"redirect_uri":[]}"#, 422, "unknown_application_setting", "no setting redirect_uri",
                "a misspelled key"
            ),
            (
                #"{"consent":"no"}"#, 422, "bad_application",
                #"consent must not be "no": it must be one of: ask, skip"#, "a wrong word"
            ),
            (
                #"{"public":"yes"}"#, 422, "bad_application", "public must not be a string: it must be true or false",
                "a wrong type"
            ),
            (#"{"disabled":1}"#, 422, "bad_application", "disabled must be true or false", "a wrong type of a state"),
            (
                #"{"public":true,"introspect":true}"#, 422, "bad_application", "public excludes introspect",
                "a contradiction"
            ),
            (#"{"scopes":["opneid"]}"#, 422, "bad_application", "scopes opneid must be one of: openid", "a scope"),
            (#"{"public":true}"#, 409, "application_has_secret", "drop_secrets", "a public application with a secret"),
            (
                #"{"redirect_uris":["http://intern/cb"]}"#, 422, "bad_application", "; allow_http permits it",
                "an address that another setting permits"
            ),
        ] as [(String, Int, String, String, String)])
    func `a wrong body is a problem that names the key`(
        body: String, status: Int, code: String, message: String, reason: String
    ) async throws {
        let response = try await send("PATCH", "/wiki", body)
        #expect(response.status == status && response["Content-Type"] == "application/problem+json", "\(reason)")
        #expect(try response.json["code"]?.string == code, "\(reason): \(response.text)")
        #expect(try response.json["message"]?.string?.contains(message) == true, "\(reason): \(response.text)")
        #expect(try response.json["errors"] == nil, "a field error belongs to a form")
    }

    @Test func `a new application with a wrong ID is refused by the rule`() async throws {
        for body in [#"{}"#, #"{"client_id":"a b"}"#, #"{"client_id":7}"#] {
            let response = try await send("POST", "", body)
            #expect(
                try response.json["message"]?.string?.contains("client_id must match ^[") == true, "\(response.text)")
        }
    }

    @Test func `an application becomes public without its secrets, and unknown groups are listed`() async throws {
        let changed = try await send("PATCH", "/wiki", #"{"public":true,"drop_secrets":true,"groups":["staff"]}"#)
        let application = try changed.json["application"]
        #expect(changed.status == 200 && application?["secrets"]?.integer == 0, "\(changed.text)")
        #expect(try changed.json["unknown_groups"] == .array([.string("staff")]))
        let disabled = try await send("PATCH", "/wiki", #"{"disabled":true}"#)
        #expect(try disabled.json["application"]?["disabled"] == .bool(true))
    }
}
