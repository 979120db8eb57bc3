import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60)))
struct FlagsFrontTests {
    @Test(arguments: ["ada", "not a name"])
    func `values from flags are validated only once`(name: String) throws {
        let password = CountedPasswordField()
        let form = Form(id: "setup", title: "", submit: "", fields: [UsernameField(), password])
        let values = FieldFlags([.username: .text(name), .password: .bytes(Secret("secret"))])
        let front = FlagsFront(form: form, values: values, messages: .english)
        if front.areComplete {
            #expect(try front.credentials().secret(.password)?.isEqual(to: Secret("secret")) == true)
        } else {
            #expect(throws: ToolFailure.self) { try front.credentials() }
        }
        #expect(password.rule.count == 1)
    }
}
