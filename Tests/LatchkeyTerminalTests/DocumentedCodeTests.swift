import Foundation
import LatchkeyForms
import LatchkeyTerminal
import TestSupport
import Testing

/// The code of this module that the documents show. It is compiled here and must match them.
@Suite(.timeLimit(.minutes(60)))
struct DocumentedCodeTests {
    /// README.md, "Swift".
    private func greet(by path: String) async throws {
        let form = try FormCatalogue.form(of: .init(file: path, bytes: Array(Data(contentsOf: URL(filePath: path)))))
        guard let answers = await FormPrompt.ask(form, variables: ProcessInfo.processInfo.environment) else { return }
        print("Hello, \(answers.text("name") ?? "you")")
    }

    /// docs/terminal.md, "For programs".
    private func ask(_ form: Form, on device: TerminalDevice, _ environment: TerminalEnvironment) async {
        let prompt = FormPrompt(form: form, port: device, environment: environment)
        guard let answers = await prompt.run().valueOrDie() else { return }
        print("Hello, \(answers.text("name") ?? "you")")
    }

    /// docs/terminal.md, "For programs".
    private func importing(_ lines: [String], _ environment: TerminalEnvironment, _ take: (String) -> Void) {
        let output = DescriptorOutput(STDERR_FILENO)
        let bar = ProgressBar(
            label: "Importing", total: lines.count, output: output, isTerminal: output.isTerminal,
            environment: environment)
        for (index, line) in lines.enumerated() {
            take(line)
            bar.update(done: index + 1)
        }
        bar.finish(saying: "\(lines.count) accounts imported")
    }

    @Test(arguments: ["README.md", "docs/terminal.md"])
    func `the code in a document matches the code compiled here`(document: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let compiled = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        let blocks = text.matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map { String($0.output.1) }
        try #require(!blocks.isEmpty)
        for block in blocks {
            let indented = block.split(separator: "\n").map { "        " + $0 + "\n" }.joined()
            #expect(compiled.contains(indented), "\(block)")
        }
    }
}
