/// Answers that come in any order, given in the order of their questions, which are counted from 0.
struct AnswersInOrder<Answer> {
    private var early: [Int: Answer] = [:]

    /// How many have been given.
    private(set) var given = 0

    mutating func put(_ answer: Answer, of question: Int) { early[question] = answer }

    /// The next answer; nil where it has not come yet.
    mutating func take() -> Answer? {
        guard let answer = early.removeValue(forKey: given) else { return nil }
        given += 1
        return answer
    }
}
