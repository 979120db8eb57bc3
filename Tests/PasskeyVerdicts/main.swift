import Foundation
import LatchkeyAccounts
import PasskeyCases

// Reads cases, one a line, and writes `ok` or the code of the failure for each: see scripts/check-passkeys.
let decoder = JSONDecoder()
while let line = readLine() {
    let row = try decoder.decode(PasskeyCase.self, from: Data(line.utf8))
    do throws(PasskeyFailure) {
        _ = try row.verify()
        print("ok")
    } catch {
        print(error.rawValue)
    }
}
