import Testing

@testable import LatchkeySecrets

@Suite(.timeLimit(.minutes(60)))
struct SecretBytesTests {
    @Test func `bytes are appended up to the capacity and not beyond`() {
        let secret = Buffer(SecretBytes(capacity: 4))
        #expect(secret.append("abc"))
        #expect(!secret.append("de"))
        #expect(secret.held == "abc")
        #expect(secret.append(UInt8(ascii: "d")))
        #expect(!secret.append(UInt8(ascii: "e")))
        #expect(secret.held == "abcd")
    }

    @Test(arguments: [
        (0..<0, "XY", "XYabcdef"), (6..<6, "XY", "abcdefXY"), (2..<4, "XY", "abXYef"), (2..<4, "", "abef"),
        (2..<4, "XYZ", "abXYZef"), (0..<6, "", ""), (0..<6, "12345678", "12345678"), (3..<3, "", "abcdef"),
    ])
    func `a range of bytes is replaced`(range: Range<Int>, replacement: String, result: String) {
        let secret = Buffer("abcdef", capacity: 8)
        #expect(secret.replace(range, with: replacement))
        #expect(secret.held == result)
    }

    @Test(arguments: [(0..<7, "x"), (7..<7, "x"), (-1..<2, "x"), (3..<3, "xyz"), (0..<1, "wxyz")])
    func `a replacement that does not fit or is out of bounds changes nothing`(range: Range<Int>, replacement: String) {
        let secret = Buffer("abcdef", capacity: 8)
        #expect(!secret.replace(range, with: replacement))
        #expect(secret.held == "abcdef")
    }

    @Test func `bytes that are no longer used after a replacement are wiped`() {
        let secret = Buffer("abcdefgh", capacity: 8)
        #expect(secret.replace(1..<6, with: ""))
        #expect(secret.held == "agh")
        #expect(secret.wholeBuffer == Array("agh\0\0\0\0\0".utf8))
    }

    @Test func `removing all bytes wipes them and keeps the capacity`() {
        let secret = Buffer("abcdefgh", capacity: 8)
        secret.bytes.removeAll()
        #expect(secret.held == "")
        #expect(secret.capacity == 8)
        #expect(secret.wholeBuffer == [0, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test func `filling replaces all bytes and wipes the unused ones`() {
        let secret = Buffer("abcdefgh", capacity: 8)
        unsafe secret.bytes.fill { buffer in
            let wasWiped = unsafe buffer.allSatisfy { $0 == 0 }
            #expect(wasWiped)
            unsafe buffer.update(repeating: UInt8(ascii: "z"))
            return 3
        }
        #expect(secret.wholeBuffer == Array("zzz\0\0\0\0\0".utf8))
        #expect(secret.held == "zzz")
    }

    @Test(arguments: [(-1, 0), (9, 8)])
    func `a count that is out of bounds is clamped`(answered: Int, count: Int) {
        let secret = Buffer(SecretBytes(capacity: 8))
        unsafe secret.bytes.fill { _ in answered }
        #expect(secret.count == count)
    }

    @Test func `a failed fill leaves the buffer empty`() {
        struct Refused: Error {}
        let secret = Buffer("abcd", capacity: 4)
        #expect(throws: Refused.self) {
            try unsafe secret.bytes.fill { (buffer) throws(Refused) in
                unsafe buffer[0] = 1
                throw Refused()
            }
        }
        #expect(secret.held == "")
        #expect(secret.wholeBuffer == [0, 0, 0, 0])
    }

    @Test(arguments: [0, -1, Int.min])
    func `a buffer without capacity accepts no bytes`(capacity: Int) {
        let secret = Buffer(SecretBytes(capacity: capacity))
        #expect(secret.capacity == 0)
        #expect(!secret.append(1))
        #expect(!secret.append("x"))
        #expect(secret.append(""))
        #expect(secret.replace(0..<0, with: ""))
        secret.bytes.removeAll()
        unsafe secret.bytes.fill { $0.count }
        #expect(secret.held == "")
    }

    /// Each thread holds secrets of all sizes at once, drops some and allocates new ones.
    @Test func `new secrets are empty and share no memory, even with other threads`() async {
        await withTaskGroup { group in
            for thread in UInt8(1)...4 {
                group.addTask {
                    var secrets: [Buffer] = []
                    for step in 0..<600 {
                        let capacity = [1, 31, 32, 33, 64, 100, 1024, 4095, 4096, 4097][step % 10]
                        let secret = Buffer(SecretBytes(capacity: capacity))
                        #expect(secret.wholeBuffer.allSatisfy { $0 == 0 })
                        unsafe secret.bytes.fill { buffer in
                            unsafe buffer.update(repeating: thread)
                            return buffer.count
                        }
                        if secrets.count == 150 { secrets.remove(at: step * 7 % 150) }
                        secrets.append(secret)
                    }
                    #expect(secrets.allSatisfy { secret in secret.wholeBuffer.allSatisfy { $0 == thread } })
                }
            }
        }
    }

    @Test func `locked memory is wiped when it is returned`() throws {
        let piece = try unsafe #require(LockedMemory.lend(4096))
        unsafe piece.initializeMemory(as: UInt8.self, repeating: 7, count: 4096)
        unsafe LockedMemory.takeBack(piece, 4096)
        // The memory remains mapped, and another test may use it by now.
        let tail = unsafe UnsafeRawBufferPointer(start: piece + 32, count: 4064)
        let isKept = unsafe tail.allSatisfy { $0 == 7 }
        #expect(!isKept)
    }

    @Test func `a secret works without locked memory`() {
        let secret = unsafe Buffer(SecretBytes(capacity: 8) { _ in nil })
        #expect(secret.wholeBuffer == [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(secret.append("abcdefgh"))
        #expect(!secret.append(1))
        #expect(secret.held == "abcdefgh")
    }
}

/// Holds the bytes under test, because `#expect` cannot inspect a noncopyable value.
private final class Buffer {
    var bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    convenience init(_ text: String, capacity: Int) {
        self.init(SecretBytes(capacity: capacity))
        _ = append(text)
    }

    var held: String { bytes.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) } }

    var count: Int { bytes.count }
    var capacity: Int { bytes.capacity }

    /// All bytes, including those beyond the count.
    var wholeBuffer: [UInt8] {
        let capacity = capacity
        return bytes.withBytes { bytes in
            unsafe bytes.withUnsafeBufferPointer {
                unsafe Array(UnsafeBufferPointer(start: $0.baseAddress, count: capacity))
            }
        }
    }

    func append(_ text: String) -> Bool { bytes.append(text.utf8Span.span) }
    func append(_ byte: UInt8) -> Bool { bytes.append(byte) }
    func replace(_ range: Range<Int>, with text: String) -> Bool {
        bytes.replaceSubrange(range, with: text.utf8Span.span)
    }
}
