import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AccountErrorTests {
    /// One error of each case. A new case does not compile until it has a row.
    private static func number(of error: AccountError) -> Int {
        switch error {
        case .wrongCredentials: 0
        case .throttled: 1
        case .refused: 2
        case .taken: 3
        case .noSession: 4
        case .mustChangePassword: 5
        case .noSuchAccount: 6
        case .overloaded: 7
        case .outOfMemory: 8
        case .noRandomness: 9
        case .store(let error):
            switch error {
            case .busy: 10
            case .full: 11
            case .readOnly: 12
            case .corrupt: 13
            case .notAStore: 14
            case .newer: 15
            case .missing: 16
            case .exposed: 17
            case .denied: 18
            case .keyMissing: 19
            case .networkFileSystem: 20
            case .settingRefused: 21
            case .failed: 22
            case .stray: 23
            case .sealingKeysMissing: 24
            case .noSealingKey: 25
            case .outOfMemory: 29
            case .older: 30
            case .superJournal: 31
            case .openFolder: 32
            case .otherOwner: 33
            case .keyForeign: 38
            case .unreachable: 39
            case .outcomeUnknown: 40
            case .incomplete: 41
            case .encoding: 42
            case .refused: 43
            case .tooOld: 44
            }
        case .blocklist: 26
        case .reauthenticationNeeded: 27
        case .accountDisabled: 28
        case .accountUnverified: 34
        case .factorRequired: 35
        case .enrolmentRequired: 36
        case .factorExists: 37
        case .takeoverRefused: 45
        case .group: 46
        }
    }

    private static let failure = RuleFailure(code: .wrongPassword, field: .currentPassword)

    private static let table: [(AccountError, NetworkResponse)] = [
        (.wrongCredentials, .refused(.invalidCredentials)),
        (.throttled(retryAfter: .seconds(4)), .throttled(retryAfter: .seconds(4))),
        (.refused([failure]), .refused(.validationFailed, [failure])),
        (.taken(field: .email), .refused(.taken, [RuleFailure(code: .taken, field: .email)])),
        (.noSession, .refused(.noSession)),
        (.mustChangePassword, .changeRequired()),
        (.noSuchAccount, .unavailable(.internal)),
        (.overloaded, .throttled(retryAfter: .seconds(1))),
        (.outOfMemory, .unavailable(.noMemory)),
        (.noRandomness, .unavailable(.noRandomness)),
        (.store(.busy), .unavailable()),
        (.store(.full), .unavailable(.storeFull)),
        (.store(.readOnly), .unavailable(.storeReadOnly)),
        (.store(.corrupt), .unavailable(.storeCorrupt)),
        (.store(.notAStore), .unavailable(.storageFailed)),
        (.store(.newer(schema: 2)), .unavailable(.storageFailed)),
        (.store(.missing), .unavailable(.storageFailed)),
        (.store(.exposed(path: "/x")), .unavailable(.storageFailed)),
        (.store(.denied(path: "/x")), .unavailable(.storageFailed)),
        (.store(.keyMissing(path: "/x")), .unavailable(.storageFailed)),
        (.store(.networkFileSystem), .unavailable(.storageFailed)),
        (.store(.settingRefused), .unavailable(.internal)),
        (.store(.failed(resultCode: 1)), .unavailable(.storageFailed)),
        (.store(.stray(path: "/x")), .unavailable(.storageFailed)),
        (.store(.sealingKeysMissing(["0123456789abcdef"])), .unavailable()),
        (.store(.noSealingKey), .unavailable()),
        (.blocklist(.damaged), .unavailable(.blocklistUnusable)),
        (.reauthenticationNeeded, .refused(.reauthenticationRequired)),
        (.accountDisabled, .unavailable(.internal)),
        (.store(.outOfMemory), .unavailable(.noMemory)),
        (.store(.older(schema: 1)), .unavailable(.storageFailed)),
        (.store(.superJournal(path: "/x")), .unavailable(.storageFailed)),
        (.store(.openFolder(path: "/x")), .unavailable(.storageFailed)),
        (.store(.otherOwner(path: "/x", owner: 1)), .unavailable(.storageFailed)),
        (.accountUnverified, .unavailable(.internal)),
        (.factorRequired(nil), .refused(.factorRequired)),
        (.enrolmentRequired(nil), .refused(.enrolmentRequired)),
        (.factorExists, .refused(.factorExists)),
        (.store(.keyForeign(path: "/x")), .unavailable(.storageFailed)),
        (.store(.unreachable(reason: "no route")), .unavailable()),
        (.store(.outcomeUnknown), .unavailable()),
        (.store(.incomplete), .unavailable(.storageFailed)),
        (.store(.encoding), .unavailable(.storageFailed)),
        (.store(.refused(state: "42501")), .unavailable(.storageFailed)),
        (.store(.tooOld(schema: 1)), .unavailable(.storageFailed)),
        (.takeoverRefused, .unavailable(.internal)),
        (.group(.tooMany), .unavailable(.internal)),
    ]

    @Test func `each error of the service maps to its response`() {
        #expect(Self.table.map { Self.number(of: $0.0) } == Array(0...46))
        for (error, response) in Self.table { #expect(NetworkResponse(error) == response, "\(error)") }
    }

    @Test func `only wrong credentials are reported as wrong credentials`() {
        for (error, _) in Self.table where error != .wrongCredentials {
            #expect(NetworkResponse(error).code != .invalidCredentials)
        }
    }
}
