import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyForms

@Suite(.timeLimit(.minutes(60)))
struct FormCatalogueTests {
    @Test(arguments: AccountType.allCases)
    func `the embedded description of a flow matches the file in Forms`(type: AccountType) throws {
        let source = FormCatalogue.Source(shippedFor: type)
        #expect(try SourceTree.contents(of: "Forms/" + source.file) == source.bytes)
        #expect(try FormCatalogue().form(for: type).accountType == type)
    }

    @Test func `the embedded schema matches the file in Forms`() throws {
        #expect(try SourceTree.contents(of: "Forms/form.schema.json") == FormCatalogue.schema)
    }

    @Test func `the shipped forms have the fields that the flows require`() throws {
        let catalogue = try FormCatalogue()
        let asked = Dictionary(
            uniqueKeysWithValues: AccountType.allCases.map { ($0, catalogue.form(for: $0).fields.map(\.apiKey)) })
        #expect(
            asked == [
                .login: [.username, .password], .setup: [.email, .username, .password], .forgotPassword: [.email],
                .resetPassword: [.code, .password], .changePassword: [.currentPassword, .password],
                .profile: [.email, .username, .code], .deleteAccount: [.currentPassword],
                .reauthenticate: [.currentPassword], .secondFactor: [.code], .addFactor: [.code],
            ])
        for type in AccountType.allCases {
            #expect(Set(type.traits.requiredFields()).isSubset(of: asked[type] ?? []))
            for field in catalogue.form(for: type).fields {
                #expect((field as? any FormTextField)?.confirms == (field.apiKey == .password && type != .login))
            }
        }
        let login = catalogue.form(for: .login)
        #expect(
            login.fields.flatMap(\.validationRules).map(\.code) == [.required, .required],
            "an old password still logs in")
    }

    @Test func `a description replaces only the form that it names`() throws {
        let text =
            #"{"form":"login","title":"Come in","submit":"Go","fields":[{"apiKey":"username","placeholder":"Name"},{"apiKey":"password","placeholder":"Password","secret":true}]}"#
        let catalogue = try FormCatalogue(replacedBy: [FormCatalogue.Source(file: "any.json", bytes: Array(text.utf8))])
        let shipped = try FormCatalogue()
        #expect(catalogue.form(for: .login).title == "Come in")
        #expect(catalogue.form(for: .setup).title == shipped.form(for: .setup).title)
        #expect(catalogue.all.map(\.id) == shipped.all.map(\.id))
    }

    /// A sign-up form with another field instead of the username.
    private static func setup(username: String) -> FormCatalogue.Source {
        let text = """
            {"form":"setup","title":"T","submit":"S","fields":[\(username)
            {"apiKey":"email_field","label":"Mail","placeholder":"Your address","rules":[{"rule":"email"}]},
            {"apiKey":"password","placeholder":"P","secret":true}]}
            """
        return FormCatalogue.Source(file: "setup.json", bytes: Array(text.utf8))
    }

    private static let optionalUsername = #"{"apiKey":"username","placeholder":"U","optional":true},"#

    @Test func `without usernames, the shipped forms ask only for the address`() throws {
        let catalogue = try FormCatalogue(replacedBy: [Self.setup(username: "")])
        #expect(catalogue.form(for: .profile).fields.map(\.apiKey) == [.email, .code])
        let login = try #require(catalogue.form(for: .login).field(.username))
        #expect(login.label == "Mail" && login.placeholder == "Your address")
    }

    @Test func `the shipped profile form requires a username only if the sign-up form does`() throws {
        let optional = try FormCatalogue(replacedBy: [Self.setup(username: Self.optionalUsername)])
        #expect(optional.form(for: .profile).field(.username)?.isOptional == true)
        #expect(optional.form(for: .login).field(.username)?.label == "Username or e-mail")
        #expect(try FormCatalogue().form(for: .profile).field(.username)?.isOptional == false)
    }

    @Test(arguments: ["", optionalUsername])
    func `forms that lock out accounts without a username are refused`(username: String) throws {
        let others = [
            #"{"form":"login","title":"T","submit":"S","fields":[{"apiKey":"username","placeholder":"U","rules":[{"rule":"username"}]},{"apiKey":"password","placeholder":"P","secret":true}]}"#,
            #"{"form":"profile","title":"T","submit":"S","fields":[{"apiKey":"email_field","placeholder":"E"},{"apiKey":"username","placeholder":"U"},{"apiKey":"code","placeholder":"C","secret":true,"optional":true}]}"#,
        ].enumerated().map { FormCatalogue.Source(file: "\($0).json", bytes: Array($1.utf8)) }
        let refusals = FormCatalogue.read([Self.setup(username: username)] + others).refusals
        #expect(
            refusals.map(\.problem.code)
                == ["description.login_refuses_addresses", "description.profile_requires_username"])
        #expect(refusals.map(\.file) == ["0.json", "1.json"])
        #expect(FormCatalogue.read(others).refusals.isEmpty, "the shipped sign-up form requires a username")
    }

    @Test func `custom forms are listed after the forms of the flows`() throws {
        let sources = ["zoo", "shop"].map { id in
            FormCatalogue.Source(
                file: "\(id).json",
                bytes: Array(
                    #"{"form":"\#(id)","title":"T","submit":"S","fields":[{"apiKey":"a","placeholder":"A"}]}"#.utf8))
        }
        let catalogue = try FormCatalogue(replacedBy: sources)
        #expect(catalogue.all.map(\.id) == AccountType.allCases.map(\.rawValue) + ["zoo", "shop"])
        #expect(catalogue["shop"]?.id == "shop" && catalogue["login"]?.accountType == .login)
        #expect(catalogue["nowhere"] == nil)
        let twice = [sources[0], FormCatalogue.Source(file: "other.json", bytes: sources[0].bytes)]
        #expect(
            throws: FormDescriptionError(
                file: "other.json", place: TextPlace(line: 1, column: 9), problem: .describedTwice("zoo", "zoo.json"))
        ) { try FormCatalogue(replacedBy: twice) }
    }
}
