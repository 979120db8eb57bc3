import Foundation
import TestSupport
import Testing

/// A change of state as the header comment of a type draws it.
struct Transition: Hashable, Comparable, CustomStringConvertible {
    let from: String
    let event: String
    let to: String

    var description: String { "\(from) ─ \(event) ─▶ \(to)" }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }

    /// The transitions in the comments of a source file in `Sources/Accounts/LatchkeyAccounts/OpenID`.
    static func diagram(in file: String) throws -> Set<Transition> {
        let text = String(
            decoding: try SourceTree.contents(of: "Sources/Accounts/LatchkeyAccounts/OpenID/" + file), as: UTF8.self)
        let lines = text.matches(of: /(?m)^\/\/\/ +(\w+) ─+ (.+?) ─+▶ (\w+)$/)
        return Set(lines.map { Transition(from: String($0.1), event: String($0.2), to: String($0.3)) })
    }
}

/// Where a call fails: not at all, before its changes are stored, or after that, so that its caller gets no response.
enum Crash: CaseIterable {
    case none, beforeCommit, afterCommit
}
