import LatchkeyForms
import Testing

@Suite(.timeLimit(.minutes(60)))
struct DecimalNumberTests {
    /// In ascending order; the numbers of one row are equal.
    private static let inOrder = [
        ["-100000000000000000000"], ["-99999999999999999999", "-099999999999999999999.0"], ["-1.01"], ["-1", "-1.00"],
        ["-0.5", "-.5"], ["0", "-0", "+0", "-.0", "000.000"], ["0.0000000000000000000000000000001"], ["0.1", ".10"],
        ["0.10000000000000000000000000001"], ["0.11"], ["0.9"], ["1", "+1", "01.0"], ["1.0000000000000000000001"],
        ["9"],
        ["10"], ["99999999999999999999"], ["100000000000000000000"],
    ]

    @Test func `decimal numbers of any length compare by value, ignoring extra zeros`() throws {
        let numbers = try Self.inOrder.map { try $0.map { try #require(DecimalNumber($0)) } }
        for (index, row) in numbers.enumerated() {
            for (otherIndex, others) in numbers.enumerated() {
                for number in row {
                    for other in others {
                        #expect((number < other) == (index < otherIndex), "\(number.text), \(other.text)")
                        #expect((number == other) == (index == otherIndex), "\(number.text), \(other.text)")
                    }
                }
            }
        }
    }

    @Test(arguments: ["", "-", "+", ".", "-.", "1.", "1e3", "1E3", "1.2.3", " 1", "1 ", "0x1", "inf", "nan", "\u{661}"])
    func `an invalid decimal number is refused`(text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test func `rules that are created in Swift work like those of a description`() throws {
        let values = FormValues()
        let integer = IntegerRule(DecimalBounds(minimum: DecimalNumber("1"), maximum: DecimalNumber("9")))
        #expect(integer.check("9".utf8Span, in: values) == nil)
        #expect(
            integer.check("10".utf8Span, in: values)
                == RuleFailure(code: .tooLarge, values: ["minimum": .text("1"), "maximum": .text("9")]))
        let date = DateRule(earliest: CalendarDate("0099-03-01"))
        #expect(date.check("0099-03-01".utf8Span, in: values) == nil)
        #expect(
            date.check("0099-02-28".utf8Span, in: values)
                == RuleFailure(code: .tooEarly, values: ["earliest": .text("0099-03-01")]))
        #expect(ISBNRule(version: .ten).check("9780306406157".utf8Span, in: values)?.code == .isbn)
    }
}
