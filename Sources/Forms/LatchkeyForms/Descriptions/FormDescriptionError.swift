import LatchkeyText

/// An error in the description of a form.
public struct FormDescriptionError: Error, Equatable, Sendable {
    /// The name of the file.
    public let file: String
    /// The line and column of the error.
    public let place: TextPlace
    /// The problem.
    public let problem: Problem

    package init(file: String, place: TextPlace, problem: Problem) {
        (self.file, self.place, self.problem) = (file, place, problem)
    }

    /// A problem, as a code with values. The message table contains the sentence.
    public struct Problem: Error, Equatable, Sendable {
        /// The stable code, such as `description.unknown_key`.
        public let code: String
        /// The values for the placeholders in the sentence.
        public let values: [String: RuleFailure.Value]

        /// Creates a problem. A custom rule may use a custom code, with a sentence in the message table.
        public init(_ code: String, _ values: [String: RuleFailure.Value] = [:]) {
            self.code = code
            self.values = values
        }
    }
}

extension FormDescriptionError.Problem {
    /// The text is not JSON.
    package static func notJSON(_ problem: JSONProblem) -> Self {
        switch problem {
        case .notUTF8: Self("description.not_utf8")
        case .byteOrderMark: Self("description.byte_order_mark")
        case .comment: Self("description.comment")
        case .unexpectedEnd: Self("description.unexpected_end")
        case .unexpected(let text): Self("description.unexpected", ["text": .text(text)])
        case .duplicateKey(let key): Self("description.duplicate_key", ["key": .text(key)])
        case .loneSurrogate: Self("description.lone_surrogate")
        case .tooDeep(let maximum): Self("description.too_deep", ["maximum": .integer(maximum)])
        case .afterEnd: Self("description.after_end")
        }
    }

    static func tooLarge(maximum: Int) -> Self { Self("description.too_large", ["maximum": .integer(maximum)]) }
    static func tooMany(_ key: String, maximum: Int) -> Self {
        Self("description.too_many", ["key": .text(key), "maximum": .integer(maximum)])
    }
    static func empty(_ key: String) -> Self { Self("description.empty", ["key": .text(key)]) }
    /// The object has an unknown key.
    package static func unknownKey(_ key: String, allowed: [String]) -> Self {
        Self("description.unknown_key", ["key": .text(key), "allowed": .text(allowed.joined(separator: ", "))])
    }
    static func missingKey(_ key: String) -> Self { Self("description.missing_key", ["key": .text(key)]) }
    /// The value has the wrong type.
    ///
    /// - Parameter expected: a type of JSON Schema: `string`, `integer`, `boolean`, `array`, `object`.
    package static func wrongType(_ key: String, expected: String) -> Self {
        Self("description.wrong_type", ["key": .text(key), "expected": .text(expected)])
    }
    /// An element of the array under `key` has the wrong type.
    static func wrongElement(_ key: String, expected: String) -> Self {
        Self("description.wrong_element", ["key": .text(key), "expected": .text(expected)])
    }
    /// The value is not one of the allowed names.
    package static func unknownName(_ key: String, _ name: String, allowed: [String]) -> Self {
        Self(
            "description.unknown_name",
            ["key": .text(key), "name": .text(name), "allowed": .text(allowed.joined(separator: ", "))])
    }
    static func duplicate(_ key: String, _ name: String) -> Self {
        Self("description.duplicate", ["key": .text(key), "name": .text(name)])
    }
    static func describedTwice(_ form: String, _ file: String) -> Self {
        Self("description.described_twice", ["name": .text(form), "file": .text(file)])
    }
    /// The value of `key` has characters that a name may not have, or too many.
    static func badName(_ key: String, _ name: String) -> Self {
        Self("description.bad_name", ["key": .text(key), "name": .text(name)])
    }
    /// Like ``badName(_:_:)``, for the name of a flag.
    static func badFlag(_ name: String) -> Self { Self("description.bad_flag", ["name": .text(name)]) }
    /// Like ``badName(_:_:)``, for the name of a form.
    static func badForm(_ name: String) -> Self { Self("description.bad_form", ["name": .text(name)]) }
    static func badScheme(_ name: String) -> Self { Self("description.bad_scheme", ["name": .text(name)]) }
    /// The name is reserved for commands.
    static func reserved(_ key: String, _ name: String) -> Self {
        Self("description.reserved", ["key": .text(key), "name": .text(name)])
    }
    /// Latchkey sets the claim itself.
    static func reservedClaim(_ key: String, _ name: String) -> Self {
        Self("description.reserved_claim", ["key": .text(key), "name": .text(name)])
    }
    static func outOfRange(_ key: String, minimum: Int, maximum: Int) -> Self {
        Self(
            "description.out_of_range",
            ["key": .text(key), "minimum": .integer(minimum), "maximum": .integer(maximum)])
    }
    static func exponent(_ key: String) -> Self { Self("description.exponent", ["key": .text(key)]) }
    /// The value of `key` is less than that of `lower`.
    static func outOfOrder(_ key: String, lower: String) -> Self {
        Self("description.out_of_order", ["key": .text(key), "lower": .text(lower)])
    }
    static func notADate(_ key: String, _ text: String) -> Self {
        Self("description.not_a_date", ["key": .text(key), "name": .text(text)])
    }
    static func unusable(_ key: String, _ refusal: Pattern.Refusal) -> Self {
        switch refusal {
        case .tooLong:
            Self("description.too_long", ["key": .text(key), "maximum": .integer(Pattern.maximumSourceBytes)])
        case .malformed(let mistake):
            Self("description.bad_pattern", ["key": .text(key), "reason": .text(mistake.code)])
        case .tooLarge:
            Self("description.pattern_too_large", ["key": .text(key), "maximum": .integer(Pattern.maximumMemory)])
        case .notOneClass: Self("description.not_one_class", ["key": .text(key)])
        }
    }
    static func mustBeSecret(_ name: String) -> Self { Self("description.must_be_secret", ["name": .text(name)]) }
    static func mustNotBeSecret(_ name: String) -> Self {
        Self("description.must_not_be_secret", ["name": .text(name)])
    }
    static func mustBeText(_ name: String) -> Self { Self("description.must_be_text", ["name": .text(name)]) }
    static func ruleNotForKind(_ rule: String, _ kind: FieldKind) -> Self {
        Self("description.rule_not_for_kind", ["rule": .text(rule), "kind": .text(kind.rawValue)])
    }
    static func keyNotForKind(_ key: String, _ kind: FieldKind) -> Self {
        Self("description.key_not_for_kind", ["key": .text(key), "kind": .text(kind.rawValue)])
    }
    static func notWithSecret(_ key: String) -> Self { Self("description.not_with_secret", ["key": .text(key)]) }
    static func onlyWithSecret(_ key: String) -> Self { Self("description.only_with_secret", ["key": .text(key)]) }
    static func mustBeMasked(_ name: String) -> Self { Self("description.must_be_masked", ["name": .text(name)]) }
    /// A choice has no `oneOf` rule.
    static func kindNeedsOptions(_ kind: FieldKind) -> Self {
        Self("description.kind_needs_options", ["kind": .text(kind.rawValue)])
    }
    static var separatorInOption: Self { Self("description.separator_in_option") }
    static func notAnOption(_ value: String, of field: String) -> Self {
        Self("description.not_an_option", ["value": .text(value), "name": .text(field)])
    }
    static func tooFewOptions(_ count: Int) -> Self { Self("description.too_few_options", ["count": .integer(count)]) }
    static func badDefault(_ code: RuleFailure.Code) -> Self {
        Self("description.bad_default", ["reason": .text(code.rawValue)])
    }
    /// A condition refers to a field that is missing or comes later.
    static func notAnEarlierField(_ name: String) -> Self {
        Self("description.not_an_earlier_field", ["name": .text(name)])
    }
    static func dependsOnSecret(_ name: String) -> Self {
        Self("description.depends_on_secret", ["name": .text(name)])
    }
    /// A condition refers to a field that a flow requires.
    static func alwaysAsked(_ name: String) -> Self { Self("description.always_asked", ["name": .text(name)]) }
    static func pageApart(_ name: String) -> Self { Self("description.page_apart", ["name": .text(name)]) }
    static var pageTooLate: Self { Self("description.page_too_late") }
    static var mustNotTrim: Self { Self("description.must_not_trim") }
    static func noSuchField(_ name: String) -> Self { Self("description.no_such_field", ["name": .text(name)]) }
    static func refersToItself(_ name: String) -> Self { Self("description.refers_to_itself", ["name": .text(name)]) }
    /// Two fields repeat each other, directly or through others.
    static func repeatsInCircle(_ name: String) -> Self {
        Self("description.repeats_in_circle", ["name": .text(name)])
    }
    static func repeatsSecret(_ name: String) -> Self { Self("description.repeats_secret", ["name": .text(name)]) }
    /// The sign-up form allows accounts without a username, but a rule of the login form refuses every e-mail address.
    static var loginRefusesAddresses: Self { Self("description.login_refuses_addresses") }
    /// The sign-up form allows accounts without a username, but the profile form requires one.
    static var profileRequiresUsername: Self { Self("description.profile_requires_username") }
    static func missingField(_ name: String) -> Self { Self("description.missing_field", ["name": .text(name)]) }
}
