import LatchkeyForms
import TestSupport
import Testing

struct NameField: FormTextField {
    let apiKey: FieldKey = "name"
    let placeholder = "Your name"
    var validationRules: [any Rule] { [RequiredRule(), MaxLengthRule(80)] }
}

/// A form in Swift as in `docs/forms.md`.
@Suite(.timeLimit(.minutes(60)))
struct SwiftFormTests {
    private var form: Form {
        let form = Form(
            id: "order", title: "Your order", submit: "Order",
            fields: [
                NameField(),
                ChoiceField("size", label: "Size", options: ["S", "M", FieldOption("L", label: "Large")]),
                ChoicesField("extras", label: "Extras", options: ["Milk", "Sugar"], maximum: 1),
                BooleanField("terms", label: "I accept the terms", mustBeTrue: true), DateField("due", label: "Due"),
            ])
        return form
    }

    @Test func `each kind of field has the answer that the document names`() throws {
        let model = FormViewModel(form: form)
        model["name"] = "Ada"
        model["size"] = "l"
        model["extras"] = ["Milk", "Sugar"]
        model["due"] = "2026-02-28"
        #expect(model.validateForm().failures.map(\.field) == ["extras", "terms"])
        model["extras"] = ["Sugar"]
        model["terms"] = true
        let answers = try #require(model.takeCredentials())
        #expect(answers.text("size") == "L" && answers["extras"] == ["Sugar"])
    }

    @Test func `the form matches the code in the document`() throws {
        let document = String(decoding: try SourceTree.contents(of: "docs/forms.md"), as: UTF8.self)
        let path = "Tests/LatchkeyFormsTests/OwnRule/SwiftFormTests.swift"
        let compiled = String(decoding: try SourceTree.contents(of: path), as: UTF8.self)
        let blocks = document.matches(of: /```swift\n([\s\S]*?)```/).map { String($0.output.1) }
        #expect(compiled.contains("\n" + (try #require(blocks.last))))
        let form = blocks[blocks.count - 2].split(separator: "\n").map { "        \($0)\n" }.joined()
        #expect(compiled.contains(form))
    }
}
