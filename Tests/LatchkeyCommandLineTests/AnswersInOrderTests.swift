import TestSupport
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60)))
struct AnswersInOrderTests {
    @Test func `answers are returned in the order of the questions`() {
        var generator = SeededGenerator(seed: 7)
        var answers = AnswersInOrder<Int>()
        var given: [Int] = []
        for number in (0..<100).shuffled(using: &generator) {
            answers.put(number * 2, of: number)
            while let answer = answers.take() { given.append(answer) }
            #expect(answers.given == given.count)
        }
        #expect(given == (0..<100).map { $0 * 2 })
        #expect(answers.take() == nil)
    }
}
