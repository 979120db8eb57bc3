import LatchkeyForms

extension CommandSpec {
    /// A word that others follow: alone, it says which.
    static func group(_ word: String, summary: String, about: String) -> CommandSpec {
        CommandSpec(
            words: [word], summary: summary, about: about, statuses: [.usage], examples: ["latchkey \(word) --help"]
        ) { (context) async throws(ToolFailure) in
            let members = CommandTable.all.filter { $0.words.count == 2 && $0.words[0] == word }
            throw .commandMissing(group: word, known: members.map { $0.words[1] }.joined(separator: ", "))
        }
    }
}
