import LatchkeySystem
import Testing

struct LastWordsTests {
    @Test func `last words are said in the order in which they were added, as often as an end comes near`() {
        let said = Locked<[Int]>([])
        LastWords.add { said.withLock { $0.append(1) } }
        LastWords.add { said.withLock { $0.append(2) } }
        LastWords.say()
        LastWords.say()
        #expect(said.withLock { $0 } == [1, 2, 1, 2])
    }
}
