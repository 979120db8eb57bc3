import LatchkeyText
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ASCIISetTests {
    @Test(arguments: [
        ASCIISet("") as ASCIISet, ASCIISet("\0?@\u{7F}"), ASCIISet("abcxyz0129!~"),
    ])
    func `a set contains no bytes outside ASCII`(set: ASCIISet) {
        #expect(!(UInt8(0x80)...UInt8.max).contains(where: set.contains))
    }

    @Test func `a set contains exactly the given ASCII characters`() {
        let set = ASCIISet("\0?@az\u{7F}\u{E9}")
        let members = (UInt8.min...UInt8.max).filter(set.contains)
        #expect(members == [0x00, 0x3F, 0x40, 0x61, 0x7A, 0x7F])
    }
}
