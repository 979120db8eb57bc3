import LatchkeySecrets
import LatchkeyTerminal
import TestSupport
import Testing

@testable import chat

struct DraftTests {
    @Test(
        arguments: [
            ([.home, .insert(Secret("x"))], "xone two"), ([.deleteBack], "one tw"),
            ([.left, .left, .deleteBack], "one wo"),
            ([.home, .deleteForward], "ne two"), ([.home, .endOfText], "ne two"), ([.deleteWordBack], "one "),
            ([.left, .deleteToStart], "o"), ([.home, .right, .deleteToEnd], "o"),
            ([.home, .end, .deleteBack], "one tw"),
            ([.paste(Secret("\u{E9}👋")), .deleteBack], "one twoé"),
        ] as [([Action], String)])
    func `keys edit the line`(keys: [Action], text: String) {
        var draft = Draft()
        for key in [.insert(Secret("one two"))] + keys {
            let isUsed = draft.edit(key)
            #expect(isUsed)
        }
        #expect(draft.text == text)
    }

    @Test(arguments: [
        Action.deleteBack, .deleteForward, .endOfText, .deleteWordBack, .left, .right, .reveal,
        .insert(Secret(copying: ([0xFF] as [UInt8]).span)),
    ])
    func `a key that means nothing changes nothing`(key: Action) {
        var draft = Draft()
        let isUsed = draft.edit(key)
        #expect(!isUsed)
        #expect(draft == Draft())
    }
}
