import Foundation
import LatchkeyAccounts
import PasskeyCases

// Reads one case per line, and writes `ok` or the failure's code for each one. scripts/check-passkeys runs it.
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
