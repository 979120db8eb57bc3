import Glibc
import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySystem
import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct ToolFailureTests {
    private static let answers: [(NetworkResponse.Code, Int32)] = [
        (.success, 0), (.invalidCredentials, 1), (.noSession, 1), (.changeRequired, 77), (.taken, 76),
        (.validationFailed, 65), (.throttled, 75), (.internal, 70), (.unavailable, 69), (.noMemory, 71),
        (.noRandomness, 71), (.blocklistUnusable, 78), (.storageFailed, 74), (.storeFull, 74), (.storeReadOnly, 74),
        (.storeCorrupt, 74),
    ]

    @Test(arguments: answers)
    func `each response has the exit status in the table`(code: NetworkResponse.Code, status: Int32) {
        #expect(code.exitStatus.rawValue == status)
    }

    private static let storeErrors: [(StoreError, Int32, String)] = [
        (.busy, 69, "store_busy"), (.full, 74, "store_full"), (.readOnly, 74, "store_read_only"),
        (.corrupt, 74, "store_corrupt"), (.notAStore, 74, "store_not_one"), (.newer(schema: 9), 78, "store_newer"),
        (.missing, 66, "store_missing"), (.denied(path: "/x"), 66, "store_denied"),
        (.exposed(path: "/x"), 77, "store_exposed"), (.keyMissing(path: "/x"), 78, "store_key_missing"),
        (.outOfMemory, 71, "store_no_memory"), (.networkFileSystem, 78, "store_network"),
        (.settingRefused, 70, "store_setting"),
        (.failed(resultCode: 10), 74, "store_failed"), (.stray(path: "/x-wal"), 74, "store_stray"),
    ]

    @Test(arguments: storeErrors)
    func `a store failure shows the path of the store`(error: StoreError, status: Int32, code: String) throws {
        let settings = try Settings(
            flags: [Invocation.Flag(name: "store", value: Argument("/x"))],
            environment: ProcessEnvironment { _ in nil })
        let failure = ToolFailure(.store(error), at: try StoreLocation(settings))
        #expect(failure.status.rawValue == status)
        #expect(failure.code == code)
        let sentence = failure.sentence(Translation.english.allMessages)
        #expect(sentence.contains("/x") && !sentence.contains("{") && !sentence.contains("tool."))
    }

    @Test func `a configuration problem is reported in English in every language`() throws {
        let error = #expect(throws: FormDescriptionError.self) {
            try SettingValues(json: Array("{} x".utf8), file: "config.json")
        }
        let failure = ToolFailure.configurationRefused(try #require(error))
        for translation in Translation.builtIn {
            #expect(
                failure.sentence(translation.allMessages)
                    == "Cannot use the configuration: config.json:1:4: unexpected text after the end of the description"
            )
        }
    }

    private static let fileErrors: [(FileError, Int32, String)] = [
        (.notFound, 66, "input_missing"), (.system(code: EACCES), 66, "input_denied"),
        (.system(code: EPERM), 66, "input_denied"), (.notRegular, 66, "input_unreadable"),
        (.silent, 66, "input_unreadable"), (.system(code: EIO), 66, "input_unreadable"),
        (.exposed(path: "/x"), 77, "input_exposed"), (.outOfMemory, 71, "no_memory"),
    ]

    @Test(arguments: fileErrors)
    func `each input error has an exit status and a sentence`(error: FileError, status: Int32, code: String) {
        let failure = ToolFailure.reading("/x", error)
        #expect(failure.status.rawValue == status)
        #expect(failure.code == code)
        #expect(!failure.sentence(Translation.english.allMessages).contains("{"))
    }

    @Test func `a file without read permission is reported as denied, without an error number`() {
        for code in [EACCES, EPERM] {
            #expect(StoreError(.system(code: code), at: "/x", orElse: .missing) == .denied(path: "/x"))
        }
        #expect(StoreError(.notFound, at: "/x", orElse: .missing) == .missing)
    }
}
