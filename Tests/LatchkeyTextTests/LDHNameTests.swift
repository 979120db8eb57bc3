import LatchkeyText
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LDHNameTests {
    @Test(arguments: [
        (name: "a", labels: 1, last: 0..<1, alphabetic: true, reserved: false),
        (name: "A.b-c.D1", labels: 3, last: 6..<8, alphabetic: false, reserved: false),
        (name: "1.a", labels: 2, last: 2..<3, alphabetic: true, reserved: false),
        (name: "a.1a", labels: 2, last: 2..<4, alphabetic: false, reserved: false),
        (name: "a.b-c", labels: 2, last: 2..<5, alphabetic: false, reserved: false),
        (name: "xn--a.bc", labels: 2, last: 6..<8, alphabetic: true, reserved: true),
        (name: "a.ab--c", labels: 2, last: 2..<7, alphabetic: false, reserved: true),
        (name: "a.b--c", labels: 2, last: 2..<6, alphabetic: false, reserved: false),
        (name: "abc--d", labels: 1, last: 0..<6, alphabetic: false, reserved: false),
    ])
    func `a name is parsed in one pass`(
        row: (name: String, labels: Int, last: Range<Int>, alphabetic: Bool, reserved: Bool)
    ) throws {
        let read = LDHName(row.name.utf8Span.span)
        let name = try #require(read)
        #expect(name.labelCount == row.labels)
        #expect(name.lastLabel == row.last)
        #expect(name.isLastLabelAlphabetic == row.alphabetic)
        #expect(name.hasReservedLabel == row.reserved)
    }

    @Test(arguments: [63, 64])
    func `a label has at most 63 octets`(count: Int) {
        let label = String(repeating: "a", count: count)
        for name in [label, label + ".b", "b." + label] {
            #expect((LDHName(name.utf8Span.span) != nil) == (count == 63))
        }
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a-.b", "a_b", "a b", "\u{E9}", "a\0", "a/b", "@", "[",
    ])
    func `an invalid name is refused`(name: String) {
        #expect(LDHName(name.utf8Span.span) == nil)
    }

    @Test func `only letters, digits, hyphens and dots are allowed in a name`() {
        for byte in UInt8.min...UInt8.max {
            let isPart =
                byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                || Character(UnicodeScalar(byte)).isASCIIAlphanumeric
            let bytes: [UInt8] = [0x61, byte, 0x61]
            #expect((LDHName(bytes.span) != nil) == isPart, "\(byte)")
        }
    }
}

extension Character {
    fileprivate var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
