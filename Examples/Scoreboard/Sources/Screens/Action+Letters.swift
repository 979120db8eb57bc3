import LatchkeySecrets
import LatchkeyTerminal

extension Action {
    /// What was typed, as letters that each mean something; a line of them on a terminal that gives whole lines.
    var letters: [Character] {
        switch self {
        case .insert(let typed), .answer(let typed):
            typed.withBytes { bytes in Array(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)) }
        default: []
        }
    }
}
