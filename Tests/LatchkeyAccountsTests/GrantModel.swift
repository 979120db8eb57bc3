import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// The rules for the code and the refresh tokens of one grant, without a store.
struct GrantModel: Hashable {
    enum Action: Hashable, CaseIterable {
        case redeem, redeemAsOther, redeemWithoutVerifier, refreshFirst, refreshSecond, refreshThird, refreshAsOther,
            disconnect, maintain, waitForLeeway, waitForCode, waitForExpiry

        /// The number of the refresh token, from 0.
        var token: Int? {
            switch self {
            case .refreshFirst, .refreshAsOther: 0
            case .refreshSecond: 1
            case .refreshThird: 2
            default: nil
            }
        }

        var seconds: Int64? {
            switch self {
            case .waitForLeeway: 11
            case .waitForCode: 60
            case .waitForExpiry: 31 * 86400
            default: nil
            }
        }
    }

    /// A refresh token. Times are in seconds since the login.
    struct Token: Hashable {
        let createdAt: Int64
        var usedAt: Int64?
        var isStored = true
    }

    var time: Int64 = 0
    var exists = true
    var isCodeUsed = false
    var isCodeStored = true
    var tokens: [Token] = []
    /// The time at which the newest access token was created.
    var accessAt: Int64?

    private static let day: Int64 = 86400

    var name: String { exists ? isCodeUsed ? "tokens" : "code" : "none" }

    /// Performs an action. Returns the expected refusal, and the name of the event if something changes.
    mutating func perform(_ action: Action) -> (refusal: TokenRefusal?, event: String?) {
        switch action {
        case .redeem: return redeem()
        case .redeemWithoutVerifier: return (exists && isCodeStored ? .wrongVerifier : .unknown, nil)
        case .redeemAsOther, .refreshAsOther: return (.unknown, nil)
        case .refreshFirst, .refreshSecond, .refreshThird: return refresh(action.token ?? 0)
        case .disconnect:
            defer { exists = false }
            return (nil, exists ? "disconnect" : nil)
        case .maintain: return (nil, maintain())
        case .waitForLeeway, .waitForCode, .waitForExpiry:
            time += action.seconds ?? 0
            return (nil, nil)
        }
    }

    private mutating func redeem() -> (TokenRefusal?, String?) {
        guard exists, isCodeStored else { return (.unknown, nil) }
        if isCodeUsed {
            exists = false
            return (.reused, "redeem again")
        }
        guard time < 60 else { return (.expired, nil) }
        isCodeUsed = true
        tokens = [Token(createdAt: time)]
        accessAt = time
        return (nil, "redeem")
    }

    private mutating func refresh(_ number: Int) -> (TokenRefusal?, String?) {
        guard exists, tokens.indices.contains(number), tokens[number].isStored else { return (.unknown, nil) }
        let token = tokens[number]
        guard time < token.createdAt + 30 * Self.day else { return (.expired, nil) }
        guard let usedAt = token.usedAt else {
            tokens[number].usedAt = time
            tokens.append(Token(createdAt: time))
            accessAt = time
            return (nil, "refresh")
        }
        guard time - usedAt <= 10, tokens[number + 1].usedAt == nil else {
            exists = false
            return (.reused, "refresh with an old one")
        }
        accessAt = time
        return (nil, "repeat a refresh")
    }

    /// Expired tokens stay for ten minutes, and used refresh tokens for a week.
    private mutating func maintain() -> String? {
        guard exists else { return nil }
        isCodeStored = isCodeStored && time < 60 + 600
        for number in tokens.indices {
            let isOld = tokens[number].usedAt.map { time >= $0 + 7 * Self.day } ?? false
            if isOld || time >= tokens[number].createdAt + 30 * Self.day + 600 { tokens[number].isStored = false }
        }
        let hasAccess = accessAt.map { time < $0 + 600 + 600 } ?? false
        guard !isCodeStored, !hasAccess, tokens.allSatisfy({ !$0.isStored }) else { return nil }
        exists = false
        return "maintain, expired"
    }
}
