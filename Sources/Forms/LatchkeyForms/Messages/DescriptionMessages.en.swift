extension ModuleSentences {
    /// The errors in a file with a form description, settings or a translation. They are in English only, because only
    /// operators and programmers see them.
    package static let descriptions = ModuleSentences("descriptions", isTranslated: false, english: englishDescriptions)

    private static let englishDescriptions: [String: String] = [
        "description.not_utf8": "not valid UTF-8",
        "description.byte_order_mark": "starts with a byte order mark. Save the file without one",
        "description.comment": "JSON does not allow comments",
        "description.unexpected_end": "ends in the middle of a value",
        "description.unexpected": "unexpected {text}",
        "description.duplicate_key": "duplicate key \"{key}\"",
        "description.lone_surrogate": "a lone surrogate (\\ud800 to \\udfff) is not a character",
        "description.too_deep": "nested deeper than {maximum} levels",
        "description.after_end": "unexpected text after the end of the description",
        "description.too_large": "larger than {maximum} bytes",
        "description.too_many": "\"{key}\" has more than {maximum} elements",
        "description.empty": "\"{key}\" must not be empty",
        "description.unknown_key": "unknown key \"{key}\". Known here: {allowed}",
        "description.missing_key": "the key \"{key}\" is missing",
        "description.wrong_type": "\"{key}\" must be of type {expected}",
        "description.wrong_element": "each element of \"{key}\" must be of type {expected}",
        "description.unknown_name": "unknown {key} \"{name}\". Known: {allowed}",
        "description.duplicate": "duplicate {key} \"{name}\"",
        "description.described_twice": "the form \"{name}\" is already described in {file}",
        "description.bad_name":
            "\"{name}\" is not a valid {key}. Use 1 to 64 lower-case letters, digits and underscores, and begin with a letter",
        "description.bad_flag":
            "\"{name}\" is not a valid flag. Use 1 to 64 lower-case letters, digits and hyphens, begin with a letter and do"
            + " not end with a hyphen",
        "description.bad_form":
            "\"{name}\" is not a valid name of a form. Use 1 to 64 letters and digits, and begin with a lower-case letter",
        "description.bad_scheme":
            "\"{name}\" is not a valid scheme. Use letters, digits, +, - and ., begin with a letter and leave the colon out",
        "description.reserved_claim": "\"{name}\" cannot be the {key}: Latchkey sets it itself",
        "description.reserved": "\"{name}\" cannot be the {key}: commands already use it",
        "description.out_of_range": "\"{key}\" must be between {minimum} and {maximum}",
        "description.exponent": "\"{key}\" must be written without an exponent",
        "description.out_of_order": "\"{key}\" must not be less than \"{lower}\"",
        "description.not_a_date": "\"{name}\" is not a valid {key}. Write a date such as 2026-01-31",
        "description.too_long": "\"{key}\" must be at most {maximum} bytes long",
        "description.bad_pattern": "\"{key}\" is not a valid RE2 pattern ({reason})",
        "description.pattern_too_large": "the pattern in \"{key}\" needs more than {maximum} bytes of memory",
        "description.not_one_class": "\"{key}\" must be one character class in brackets, such as [a-z0-9]",
        "description.must_be_secret": "the field \"{name}\" must have \"secret\": true",
        "description.must_not_be_secret": "the field \"{name}\" must not be secret",
        "description.must_be_text": "the field \"{name}\" must be of kind text",
        "description.rule_not_for_kind": "the rule \"{rule}\" does not apply to kind \"{kind}\"",
        "description.key_not_for_kind": "\"{key}\" does not apply to kind \"{kind}\"",
        "description.only_with_secret": "only a secret field can have \"{key}\"",
        "description.must_be_masked": "\"{name}\" is a password and must stay masked",
        "description.not_with_secret": "a secret field cannot have \"{key}\"",
        "description.kind_needs_options": "kind \"{kind}\" needs the rule oneOf, which lists the values",
        "description.separator_in_option": "a value of kind \"choices\" cannot contain a semicolon",
        "description.not_an_option": "\"{value}\" is not a value of the field \"{name}\"",
        "description.too_few_options": "\"minimum\" is more than the {count} values of the field",
        "description.bad_default": "the rules of this field refuse its default ({reason})",
        "description.not_an_earlier_field": "\"{name}\" is not an earlier field of this form",
        "description.depends_on_secret": "a condition cannot depend on the secret field \"{name}\"",
        "description.always_asked": "the field \"{name}\" is always asked: remove \"when\"",
        "description.page_apart": "the page \"{name}\" is interrupted by another page",
        "description.page_too_late": "the first field must have a page, because this one has",
        "description.must_not_trim": "a secret field cannot have \"trim\": true",
        "description.no_such_field": "this form has no field \"{name}\"",
        "description.refers_to_itself": "the field \"{name}\" refers to itself",
        "description.repeats_in_circle": "the field \"{name}\" repeats this one, so neither can repeat the other",
        "description.repeats_secret": "a field that repeats the secret \"{name}\" must have \"secret\": true",
        "description.login_refuses_addresses":
            "sign-up allows accounts without a username, and the rules of \"username\" refuse every address",
        "description.profile_requires_username":
            "sign-up allows accounts without a username, so \"username\" must be optional or missing here",
        "translation.sentence": "\"{key}\" must be at most {maximum} bytes long, without control characters",
        "translation.placeholders": "\"{key}\" must contain {names} and no other names in braces",
        "translation.no_placeholders": "\"{key}\" must not contain names in braces",
        "description.missing_field": "this flow needs a field \"{name}\"",
    ]
}
