import LatchkeySecrets
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import chat

@Suite(.timeLimit(.minutes(60)))
struct DraftTests {
    @Test(
        arguments: [
            ([.key(.home), .insert(Secret("x"))], "xone two"), ([.key(.deleteBack)], "one tw"),
            ([.key(.left), .key(.left), .key(.deleteBack)], "one wo"),
            ([.key(.home), .key(.deleteForward)], "ne two"), ([.key(.home), .key(.endOfText)], "ne two"),
            ([.key(.deleteWordBack)], "one "),
            ([.key(.left), .key(.deleteToStart)], "o"), ([.key(.home), .key(.right), .key(.deleteToEnd)], "o"),
            ([.key(.home), .key(.end), .key(.deleteBack)], "one tw"),
            ([.paste(Secret("\u{E9}👋")), .key(.deleteBack)], "one twoé"),
        ] as [([Action], String)])
    func `keys edit the draft`(keys: [Action], text: String) {
        var draft = Draft()
        for key in [.insert(Secret("one two"))] + keys {
            let isUsed = draft.edit(key)
            #expect(isUsed)
        }
        #expect(draft.text == text)
    }

    @Test(
        arguments: [
            ("Hello", "", "", "Hello"), ("", "Hello", "Hello", ""), ("Hello", "", "Hi", "Hi\nHello"),
            ("", "", "Hi", "Hi"), ("", "Hello", "Hi", "Hi"), ("Hello", "Hello", "", ""),
            ("Hello", "Hi", "Hello", "Hello"),
        ] as [(String, String, String, String)])
    func `a draft replaces its earlier version, and is appended to the draft of another window`(
        text: String, seen: String, stored: String, result: String
    ) {
        #expect(SQLiteChats.merged(text, over: seen, with: stored) == result)
    }

    @Test(arguments: [
        Action.key(.deleteBack), .key(.deleteForward), .key(.endOfText), .key(.deleteWordBack), .key(.left),
        .key(.right), .key(.reveal),
        .insert(Secret(copying: ([0xFF] as [UInt8]).span)),
    ])
    func `a key without effect changes nothing`(key: Action) {
        var draft = Draft()
        let isUsed = draft.edit(key)
        #expect(!isUsed)
        #expect(draft == Draft())
    }
}
