import Foundation
import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyWeb

@Suite(.timeLimit(.minutes(60)))
struct SentenceTests {
    @Test func `every code in the sources has a sentence, and every sentence is used`() throws {
        var used: Set<String> = []
        let folders = ["Sources/Fronts/LatchkeyWeb", "Sources/Fronts/LatchkeyServer"]
        for file in folders.flatMap({ SourceTree.files(below: $0) })
        where file.hasSuffix(".swift") && !file.hasSuffix(".en.swift") {
            let text = try String(contentsOfFile: SourceTree.path(of: file), encoding: .utf8)
            used.formUnion(text.matches(of: /"(web\.\w+)"/).map { String($0.output.1) })
            guard file.contains("/LatchkeyWeb/") else { continue }
            used.formUnion(text.matches(of: /sentence\(\s*"(\w+)"/).map { "web." + $0.output.1 })
            for pair in text.matches(of: /sentence\([^)]*\?\s*"(\w+)"\s*:\s*"(\w+)"/) {
                used.formUnion(["web." + pair.1, "web." + pair.2])
            }
        }
        #expect(used.symmetricDifference(ModuleSentences.web.sentences.keys).sorted() == [])
    }
}
