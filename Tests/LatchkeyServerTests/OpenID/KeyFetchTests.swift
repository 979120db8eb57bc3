import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyServer

/// Which applications are known to have fetched a key.
@Suite(.timeLimit(.minutes(60)))
struct KeyFetchTests {
    private func waiting(_ world: ProviderWorld) async throws -> [String] {
        let key = try #require(try await world.world.service.signingKeys().last)
        return key.clientsWithoutIt(among: try await world.world.service.clients()).map(\.id)
    }

    @Test func `the applications at an address have a key once it is fetched from there`() async throws {
        let world = try await ProviderWorld()
        _ = try await world.tokens()
        #expect(try await waiting(world) == ["wiki"], "nobody has logged in to the other application")
        _ = try await world.service.open("/oauth/jwks")
        #expect(try await waiting(world) == [])
    }

    @Test func `a fetch counts also before the login`() async throws {
        let world = try await ProviderWorld()
        _ = try await world.service.open("/oauth/jwks")
        _ = try await world.tokens()
        #expect(try await waiting(world) == [])
    }

    @Test(arguments: ["/.well-known/openid-configuration", "/oauth/jwks"])
    func `a document is ready for a second, but not for another host`(path: String) async throws {
        let world = try await ProviderWorld()
        let request = try world.service.request("GET", path)
        #expect(world.service.routes.prepared(for: request) == nil)
        var built: String
        var ready: String?
        repeat {
            built = try await world.service.open(path).text
            ready = world.service.routes.prepared(for: request)?.text
        } while ready == nil
        #expect(ready == built)
        for headers in [["Host: other.example.org"], ["Host: localhost:8421", "Host: localhost:8421"]] {
            #expect(world.service.routes.prepared(for: try world.service.request("GET", path, headers: headers)) == nil)
        }
        #expect(world.service.routes.prepared(for: try world.service.request("POST", path)) == nil)
    }

    @Test func `a key that has just been made is published at once`() async throws {
        let world = try await ProviderWorld()
        #expect(try await world.service.open("/oauth/jwks").json["keys"]?.elements?.count == 1)
        try await world.world.service.updateClient("wiki", by: .owner) { $0.settings.algorithm = .es256 }
        _ = try await world.tokens()
        #expect(try await world.service.open("/oauth/jwks").json["keys"]?.elements?.count == 2)
    }

    @Test func `each new key is fetched again, and other addresses do not count`() {
        func key(_ id: String, at seconds: Int64) -> SigningKeyRecord {
            let time = Timestamp(milliseconds: seconds * 1000)
            return SigningKeyRecord(
                id: id, algorithm: .rs256, publicKey: [], privateKey: SealedSecret(key: nil, bytes: []),
                createdAt: time, activeAt: time)
        }
        let fetches = KeyFetches()
        let first = key("a", at: 1)
        #expect(fetches.fetched(from: "192.0.2.1", at: Timestamp(milliseconds: 2000), newest: first) == [])
        #expect(!fetches.authenticated("blog", from: "192.0.2.2", newest: first))
        #expect(fetches.authenticated("wiki", from: "192.0.2.1", newest: first))
        #expect(!fetches.authenticated("wiki", from: "192.0.2.1", newest: first), "it is known already")
        #expect(fetches.noteRepeated(from: "192.0.2.1", at: Timestamp(milliseconds: 2500), newest: first))
        #expect(!fetches.noteRepeated(from: "192.0.2.2", at: Timestamp(milliseconds: 2500), newest: first), "blog")
        let second = key("b", at: 3)
        #expect(!fetches.noteRepeated(from: "192.0.2.1", at: Timestamp(milliseconds: 3500), newest: second))
        #expect(!fetches.authenticated("wiki", from: "192.0.2.1", newest: second), "the fetch is older than the key")
        #expect(fetches.fetched(from: "192.0.2.1", at: Timestamp(milliseconds: 4000), newest: second) == ["wiki"])
    }
}
