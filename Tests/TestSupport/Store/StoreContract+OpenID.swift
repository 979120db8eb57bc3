import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import Testing

extension StoreContract {
    private static func client(_ id: String, name: String = "Wiki") -> Client {
        var settings = ClientSettings(name: name)
        settings.redirectURIs = ["https://wiki.example.org/cb"]
        settings.claims = .object([("roles", .string("groups"))])
        return Client(id: id, settings: settings, secretDigests: [digest(1)], createdAt: time(5))
    }

    private static func grant(
        _ number: UInt8, of account: AccountID, to client: String, until seconds: Int64
    ) -> AccessGrant {
        AccessGrant(
            id: [UInt8](repeating: number, count: 16), account: account, client: client,
            sid: [UInt8](repeating: 9, count: 16), scopes: ["openid", "email"], authenticatedAt: time(1),
            methods: [.password, .oneTimePassword], createdAt: time(2), expiresAt: time(seconds))
    }

    private static func tokenDigest(_ number: UInt8) -> [UInt8] { Array(digest(number).suffix(16)) }

    private static func token(
        _ number: UInt8, _ kind: GrantToken.Kind, of grant: AccessGrant, at created: Int64 = 2, until seconds: Int64,
        usedAt: Int64? = nil
    ) -> GrantToken {
        GrantToken(
            digest: tokenDigest(number), grant: grant.id, kind: kind, details: "{}", createdAt: time(created),
            expiresAt: time(seconds), usedAt: usedAt.map { time($0) })
    }

    private static func signingKey(_ letter: String, retiredAt: Int64?) -> SigningKeyRecord {
        SigningKeyRecord(
            id: String(repeating: letter, count: 22), algorithm: .rs256, publicKey: [1, 2, 3],
            privateKey: SealedSecret(key: nil, bytes: [UInt8](repeating: 5, count: 64)), createdAt: time(1),
            activeAt: time(2), retiredAt: retiredAt.map { time($0) })
    }

    static let openID: [Clause] = [
        Clause("applications are listed by ID, changed, and deleted with their requests and grants") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            var wiki = client("wiki")
            let other = client("Wiki", name: String(repeating: "ü", count: 32))
            let grant = grant(1, of: ada.id, to: "wiki", until: 90)
            let request = WaitingAuthorization(
                digest: digest(3), browser: digest(4), network: [], client: "wiki", parameters: "{}",
                createdAt: time(1))
            let consent = Consent(client: "wiki", scopes: ["openid"], givenAt: time(3))
            wiki.tag = digest(7)
            try await store.transact { [wiki] (store) throws in
                #expect(try store.clientOrNeighbor("wiki") == nil)
                try store.insert(wiki)
                try store.insert(other)
                #expect(throws: AccountError.taken(field: FieldKey(rawValue: "client_id"))) { try store.insert(wiki) }
                #expect(try store.clients == [other, wiki])
                #expect(try store.client("wiki") == wiki && store.client("WIKI") == nil)
                for (id, found) in [("wiki", wiki), ("", other), ("Wiki", other), ("a", wiki), ("~", wiki)] {
                    #expect(try store.clientOrNeighbor(id) == found, "\(id)")
                }
                var changed = wiki
                changed.tag = digest(8)
                try store.update(changed)
                #expect(try store.client("wiki") == changed)
                try store.insert(request)
                try store.setConsent(consent, of: ada.id)
                try store.insert(grant)
                try store.insert(token(5, .access, of: grant, until: 50))
                #expect(try store.deleteClient("wiki"))
                #expect(try !store.deleteClient("wiki"))
                #expect(try store.waitingAuthorization(request.digest) == nil)
                #expect(try store.consents(of: ada.id) == [])
                #expect(try store.grantToken(tokenDigest(5)) == nil)
                #expect(throws: AccountError.noSession) { try store.insert(request) }
            }
            try await store.refusesStray { (store) throws(AccountError) in try store.insert(grant) }
        },
        Clause("signing keys keep their order, change, and go after their last use") { store in
            try await store.transact { (store) throws in
                for key in [signingKey("b", retiredAt: nil), signingKey("a", retiredAt: 9)] { try store.insert(key) }
                #expect(try store.signingKeys.map(\.id.first) == ["b", "a"])
                try store.update(signingKey("b", retiredAt: 12))
                #expect(try store.signingKeys == [signingKey("b", retiredAt: 12), signingKey("a", retiredAt: 9)])
                try store.deleteSigningKeys(retiredBy: time(9))
                #expect(try store.signingKeys == [signingKey("b", retiredAt: 12)])
            }
        },
        Clause("authorization requests are found, taken once, and limited for each browser") { store in
            let requests = (1...4 as ClosedRange<UInt8>).map { number in
                WaitingAuthorization(
                    digest: digest(number), browser: digest(number < 4 ? 9 : 8), network: [1, 2, 3, 4],
                    client: "wiki", parameters: #"{"state":"ü"}"#, createdAt: time(Int64(number)))
            }
            try await store.transact { (store) throws in
                try store.insert(client("wiki"))
                for request in requests { try store.insert(request) }
                #expect(try store.waitingAuthorization(digest(2)) == requests[1])
                #expect(try store.waitingAuthorizations(from: [1, 2, 3, 4], after: time(2)) == [time(3), time(4)])
                #expect(try store.waitingAuthorizations(from: [], after: time(0)) == [])
                try store.deleteWaitingAuthorizations(of: digest(9), from: [], keeping: 0)
                try store.deleteWaitingAuthorizations(of: digest(9), from: [1, 2, 3, 4], keeping: 2)
                #expect(try store.waitingAuthorization(digest(1)) == nil)
                #expect(try store.waitingAuthorization(digest(4)) == requests[3], "another browser")
                #expect(try store.deleteWaitingAuthorization(digest(2)))
                #expect(try !store.deleteWaitingAuthorization(digest(2)))
                try store.deleteWaitingAuthorizations(createdBy: time(3))
                #expect(try store.waitingAuthorization(digest(3)) == nil)
                #expect(try store.waitingAuthorization(digest(4)) == requests[3])
            }
        },
        Clause("a consent replaces the earlier one of the same account and application") { store in
            let ada = try account("ada")
            let stray = try newID()
            let first = Consent(client: "wiki", scopes: ["openid"], givenAt: time(1))
            try await store.insert(ada)
            try await store.transact { (store) throws in
                try store.insert(client("wiki"))
                try store.insert(client("blog"))
                let second = Consent(client: "wiki", scopes: ["openid", "email"], givenAt: time(2))
                let other = Consent(client: "blog", scopes: [], givenAt: time(3))
                for consent in [first, second, other] { try store.setConsent(consent, of: ada.id) }
                #expect(try store.consent(of: ada.id, to: "wiki") == second)
                #expect(try store.consents(of: ada.id) == [other, second])
                #expect(try store.deleteConsent(of: ada.id, to: "wiki"))
                #expect(try !store.deleteConsent(of: ada.id, to: "wiki"))
                #expect(try store.consent(of: ada.id, to: "wiki") == nil)
            }
            try await store.refusesStray { (store) throws(AccountError) in try store.setConsent(first, of: stray) }
        },
        Clause("a token is spent once, and grants end with their tokens") { store in
            let ada = try account("ada")
            let grace = try account("grace")
            try await store.insert(ada)
            try await store.insert(grace)
            let (first, second) = (
                grant(1, of: ada.id, to: "wiki", until: 90), grant(2, of: ada.id, to: "wiki", until: 20)
            )
            let hers = grant(3, of: grace.id, to: "wiki", until: 90)
            try await store.transact { (store) throws in
                try store.insert(client("wiki"))
                #expect(throws: AccountError.noSession) { try store.insert(token(1, .code, of: first, until: 60)) }
                for grant in [first, second, hers] { try store.insert(grant) }
                let code = token(1, .code, of: first, until: 30)
                let tokens = [
                    code, token(2, .access, of: first, until: 40), token(3, .refresh, of: first, until: 80),
                    token(4, .refresh, of: first, until: 80, usedAt: 5), token(5, .access, of: second, until: 20),
                    token(6, .access, of: hers, until: 80), token(7, .access, of: first, at: 8, until: 80),
                ]
                for token in tokens { try store.insert(token) }
                #expect(try store.grantToken(tokenDigest(1))?.token == code)
                #expect(try store.grantToken(tokenDigest(1))?.grant == first)
                #expect(try store.spendGrantToken(tokenDigest(1), at: time(7)))
                #expect(try !store.spendGrantToken(tokenDigest(1), at: time(8)))
                #expect(try store.grantToken(tokenDigest(1))?.token.usedAt == time(7))
                #expect(try !store.spendGrantToken(tokenDigest(99), at: time(8)))
                #expect(try store.accessTokens(of: first.id, since: time(8)) == 1)
                #expect(try store.accessTokens(of: first.id, since: time(2)) == 2)
                try store.deleteGrants(expiredBy: time(30), usedBy: time(5))
                #expect(try store.grants(of: ada.id) == [first], "the second one has expired")
                let left = try (1...7 as ClosedRange<UInt8>).filter { try store.grantToken(tokenDigest($0)) != nil }
                #expect(left == [2, 3, 6, 7])
                #expect(try store.deleteGrantToken(tokenDigest(7)))
                #expect(try !store.deleteGrantToken(tokenDigest(7)))
                #expect(try store.deleteGrant(hers.id))
                #expect(try !store.deleteGrant(hers.id))
                #expect(try store.grantToken(tokenDigest(6)) == nil)
                #expect(try store.deleteGrants(of: ada.id) == 1)
                #expect(try store.grantToken(tokenDigest(3)) == nil)
                try store.insert(first)
                try store.deleteGrants(expiredBy: time(2), usedBy: time(1))
                #expect(try store.grants(of: ada.id) == [], "it has no tokens")
                try store.insert(hers)
                try store.insert(token(6, .access, of: hers, until: 80))
                _ = try store.deleteAccount(grace.id)
                #expect(try store.grantToken(tokenDigest(6)) == nil, "it ends with its account")
            }
        },
        Clause("a grant without tokens stays as long as its session, but only the newest of an application") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            let grants = (1...3 as ClosedRange<UInt8>).map {
                grant($0, of: ada.id, to: $0 == 3 ? "blog" : "wiki", until: 90)
            }
            let session = Session(
                digest: SessionDigest(bytes: digest(1)), account: ada.id, scope: .full, createdAt: time(1),
                lastUsedAt: time(1), source: "", sid: grants[0].sid)
            try await store.transact { (store) throws in
                for id in ["wiki", "blog"] { try store.insert(client(id)) }
                for grant in grants { try store.insert(grant) }
                #expect(Set(grants.map(\.sid)).count == 1)
                try store.insert(session)
                try store.deleteGrants(expiredBy: time(30), usedBy: time(5))
                #expect(try store.grants(of: ada.id) == [grants[1], grants[2]])
                try store.deleteSession(session.digest)
                try store.deleteGrants(expiredBy: time(30), usedBy: time(5))
                #expect(try store.grants(of: ada.id).isEmpty)
            }
        },
        Clause("a request of a device is found by both of its codes, and ends with its grant") { store in
            let ada = try account("ada")
            try await store.insert(ada)
            let grant = grant(1, of: ada.id, to: "wiki", until: 90)
            @Sendable func request(
                _ number: UInt8, code: UInt8, state: DeviceRequest.State = .waiting, grant: [UInt8]? = nil
            ) -> DeviceRequest {
                DeviceRequest(
                    digest: digest(number), codeTag: digest(code), client: "wiki", scopes: ["openid"], state: state,
                    grant: grant, source: "192.0.2.\(number)", createdAt: time(Int64(number)),
                    polledAt: state == .approved ? time(70) : nil, interval: 10)
            }
            let (first, second) = (request(1, code: 11), request(2, code: 12))
            let (same, approved) = (request(3, code: 11), request(1, code: 11, state: .approved, grant: grant.id))
            try await store.transact { (store) throws in
                #expect(throws: AccountError.noSession) { try store.insert(first) }
                try store.insert(client("wiki"))
                try store.insert(grant)
                #expect(try store.insert(first))
                #expect(try !store.insert(same), "another device has the code")
                #expect(try store.insert(second))
                #expect(try store.deviceRequestCount == 2)
                #expect(try store.deviceRequest(digest(1)) == first)
                #expect(try store.deviceRequest(withCode: digest(12)) == second)
                try store.update(approved)
                #expect(try store.deviceRequest(withCode: digest(11)) == approved)
                #expect(try store.grant(grant.id) == grant)
                try store.deleteDeviceRequests(createdBy: time(1))
                #expect(try store.deviceRequest(digest(1)) == nil)
                #expect(try store.insert(approved))
                _ = try store.deleteGrant(grant.id)
                #expect(try store.deviceRequest(digest(1)) == nil && store.grant(grant.id) == nil)
                #expect(try store.deleteDeviceRequest(digest(2)))
                #expect(try !store.deleteDeviceRequest(digest(2)))
            }
        },
    ]
}
