import Foundation
import LatchkeyTesting
import Testing

@testable import chat

@Suite(.timeLimit(.minutes(60)))
struct UnixSocketTests {
    /// The path of this folder is longer than the path of a socket may be.
    private let path: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let name = String(repeating: "long", count: 40)
        try folder.makeFolder(name)
        path = folder.path(of: name) + "/sockets"
    }

    private func line(of owner: Contact, to other: Contact) -> any ChatSocket {
        UnixSockets(folder: path, me: owner.id).open(with: other.id)
    }

    @Test func `a datagram arrives with its sender`() async {
        let (ada, bob) = (line(of: .ada, to: .bob), line(of: .bob, to: .ada))
        let message = Message("1", from: .ada, to: .bob, at: 5, "Zwei\nWörter")
        ada.send(Changes(messages: [message]))
        var heard = bob.changes.makeAsyncIterator()
        #expect(await heard.next() == Changes(messages: [message]))
        bob.send(Changes(read: ["1"]))
        var answered = ada.changes.makeAsyncIterator()
        #expect(await answered.next() == Changes(read: ["1"]))
        for end in [ada, bob] { end.close() }
        #expect(await heard.next() == nil)
    }

    @Test func `a closed socket receives nothing, and its file is deleted`() async throws {
        let ada = line(of: .ada, to: .bob)
        line(of: .bob, to: .ada).close()
        ada.send(Changes(messages: [Message("1", from: .ada, to: .bob)]))
        let bob = line(of: .bob, to: .ada)
        ada.send(Changes(read: ["2"]))
        var heard = bob.changes.makeAsyncIterator()
        #expect(await heard.next() == Changes(read: ["2"]))
        for end in [ada, bob] { end.close() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    }

    @Test func `a connection without a socket does nothing`() async throws {
        try folder.write("a file".utf8, to: "file")
        let line = UnixSockets(folder: folder.path(of: "file"), me: "a").open(with: "b")
        line.send(Changes(read: ["1"]))
        var heard = line.changes.makeAsyncIterator()
        #expect(await heard.next() == nil)
        line.close()
    }

    @Test(
        arguments: [
            [], Array("message".utf8), Array("message\n1\nnoon\ntext".utf8), Array("message\n1\n5\n ".utf8),
            Array("read".utf8), Array("typing\n1".utf8), [0xFF, 0x0A],
            Array("message\n1\n5\n".utf8) + [UInt8](repeating: 0x78, count: 1001),
            [UInt8](repeating: 0x78, count: 8192),
        ] as [[UInt8]])
    func `an invalid datagram is ignored`(datagram: [UInt8]) {
        #expect(Changes(datagram: datagram, from: "b", to: "a") == nil)
    }

    @Test func `many read marks are sent in several datagrams`() {
        let ids = Set((1...250).map { "\($0)" })
        let datagrams = Changes(read: ids).datagrams
        #expect(datagrams.count == 3)
        let heard = datagrams.compactMap { Changes(datagram: $0, from: "b", to: "a")?.read }
        #expect(heard.reduce(into: []) { $0.formUnion($1) } == ids)
    }
}
