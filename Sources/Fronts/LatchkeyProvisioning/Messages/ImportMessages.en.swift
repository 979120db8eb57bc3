package import LatchkeyForms

extension ModuleSentences {
    /// The sentences about rows of an import or a desired state, in English only.
    package static let provisioning = ModuleSentences("provisioning", isTranslated: false, english: englishProvisioning)

    private static let englishProvisioning: [String: String] = [
        "rule.not_id": "{field} must be a UUID, such as 3b241101-e2bb-4255-8caf-4136c566a962",
        "rule.not_time": "{field} must be a time such as 2026-01-02T03:04:05Z (RFC 3339) or a date such as 2026-01-02",
        "rule.not_groups":
            "{field} must be an array of names of groups such as [\"staff\"], or in CSV names with spaces between them",
        "rule.group_unknown": "{field} names a group that does not exist: {name}",
        "rule.too_many_groups": "{field} has more than {maximum} groups",
        "rule.groups_malformed":
            "\"groups\" must be an array of objects such as {\"name\": \"staff\", \"title\": \"Staff\"}, each name once",
        "rule.duplicate": "{field} is already used in line {line}",
        "rule.json_end": "{field} ends in the middle of a JSON value",
        "rule.json_unexpected": "{field} is not valid JSON from here on",
        "rule.json_comment": "{field} contains a comment, which JSON does not allow",
        "rule.json_surrogate": "{field} contains a lone surrogate (\\ud800 to \\udfff), which is not a character",
        "rule.json_depth": "{field} is nested deeper than {maximum} levels",
        "rule.json_after_end": "{field} continues after the end of its JSON object",
        "rule.json_object": "{field} must be a single JSON object",
        "rule.accounts_missing":
            "the file must be one JSON object with an array \"accounts\", perhaps an array \"groups\", and no other key",
        "rule.not_path": "{field} must be the path of a file",
        "rule.password_plain": "{field} is not accepted in this file. Use password_hash, or password_file with a path",
        "rule.column_twice": "{field} has a key or column twice",
        "rule.column_unknown": "{field} has an unknown key or column. Known ones: {known}",
        "rule.column_missing": "{field} has no column \"{name}\"",
        "rule.csv_quote": "{field} has a misplaced quotation mark. Within quotation marks, double it",
        "rule.csv_open": "{field} has an opening quotation mark without a closing one",
        "rule.csv_cells": "{field} has {count} cells, but the header has {expected}",
        "rule.csv_header": "{field} must be a header that names the columns",
    ]
}
