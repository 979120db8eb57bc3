import LatchkeySecrets
import LatchkeyTerminal

extension Action {
    /// The typed letters, each of which is a command. A terminal without keys delivers a line of them.
    var letters: [Character] {
        switch self {
        case .insert(let typed), .answer(let typed):
            typed.withBytes { bytes in Array(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)) }
        default: []
        }
    }
}
