import LatchkeyForms

/// The expected kind of value for a flag, an operand, a variable or a file.
package enum ExpectedValue: Sendable {
    case path
    /// A path or an address of a store.
    case store
    case wholeNumber
    /// A whole number. For a range without an upper bound, only the minimum is reported.
    case number(in: ClosedRange<Int>)
    case time, duration
    case text(maximum: Int)
    /// A secret, with its length in bytes.
    case secret(minimum: Int, maximum: Int)
    /// A name for people, with a length in characters instead of bytes.
    case name(maximum: Int)
    /// An IPv4 or IPv6 address.
    case address
    /// The name of one of Latchkey's groups.
    case groupName
    case emailAddress, listenAddress, origin, network, cookieDomain
    /// An address that no other listener has.
    case distinctAddress
    /// A group of the operating system. The message shows the value, because it is not secret.
    case group(given: String)
    /// The address of a service.
    case server(problem: String)
    case anchor
    /// A file of a theme, with its size limit in KiB.
    case theme(maximum: Int)
    case policy(known: String)
    case language(known: String)
    case choice(known: String)
    case format(known: String)
    case mapping(known: String)
}

extension ToolFailure.Entry {
    /// The failure for a value of `name` that is not as expected.
    init(_ name: String, mustBe expected: ExpectedValue) {
        var values: [String: RuleFailure.Value] = ["name": .text(name)]
        var status = ExitStatus.usage
        var sentence: String?
        var known: String?
        let code: String
        switch expected {
        case .path: code = "bad_path"
        case .store: (code, sentence) = ("bad_path", "tool.bad_store")
        case .wholeNumber: code = "bad_number"
        case .number(let range):
            values["minimum"] = .integer(range.lowerBound)
            (code, sentence) = ("bad_number", "tool.number_too_small")
            if range.upperBound < .max {
                values["maximum"] = .integer(range.upperBound)
                sentence = "tool.number_out_of_range"
            }
        case .time: code = "bad_time"
        case .duration: code = "bad_duration"
        case .text(let maximum):
            values["maximum"] = .integer(maximum)
            (code, sentence) = ("bad_text", "tool.text_limit")
        case .secret(let minimum, let maximum):
            values["minimum"] = .integer(minimum)
            values["maximum"] = .integer(maximum)
            (code, status) = ("bad_secret", .data)
        case .name(let maximum):
            values["maximum"] = .integer(maximum)
            code = "bad_name"
        case .address: code = "bad_source"
        case .emailAddress: (code, status) = ("bad_address", .data)
        case .listenAddress: code = "bad_listen"
        case .distinctAddress: (code, sentence) = ("bad_listen", "tool.listen_twice")
        case .group(let given):
            values["group"] = .text(given)
            (code, sentence) = ("bad_group", "tool.group_unknown")
        case .groupName: code = "bad_group_name"
        case .origin: code = "bad_origin"
        case .network: code = "bad_network"
        case .cookieDomain: code = "bad_cookie_domain"
        case .server(let problem):
            values["problem"] = .text(problem)
            code = "bad_server"
        case .anchor: (code, status) = ("bad_anchor", .data)
        case .theme(let maximum):
            values["maximum"] = .integer(maximum)
            (code, status) = ("bad_theme", .data)
        case .policy(let all): (code, known) = ("bad_policy", all)
        case .language(let all): (code, known) = ("bad_language", all)
        case .choice(let all): (code, known) = ("bad_choice", all)
        case .format(let all): (code, known) = ("bad_format", all)
        case .mapping(let all): (code, known) = ("bad_mapping", all)
        }
        values["known"] = known.map { .text($0) }
        self.init(status, code, values, sentence: sentence)
    }
}
