extension ClientSettings {
    /// A setting that a rule refuses.
    public struct Problem: Error, Equatable, Sendable {
        /// The key of the setting.
        public let setting: String
        /// The refused value or element; empty for the whole setting.
        public let value: String
        /// The rule, as the end of a sentence about the value.
        public let reason: String
        /// The key and the value of another setting that excludes this one; nil if the setting is refused by itself.
        public var other: Other?
        /// The key and the value of a setting that would permit the value; nil if nothing does.
        public var remedy: Other?

        /// A setting with a value, which is empty for a flag.
        public struct Other: Equatable, Sendable {
            public let setting: String
            public let value: String

            package init(_ setting: ClientSetting, _ value: String = "") {
                (self.setting, self.value) = (setting.key, value)
            }
        }

        package init(_ setting: ClientSetting, _ value: String, _ reason: String) {
            self.setting = setting.key
            self.value = value
            self.reason = reason
        }

        /// The rest of a sentence about the setting, without a full stop.
        ///
        /// - Parameter name: writes a setting as the operator knows it: the key, or the flag.
        package func predicate(naming name: (String) -> String) -> String {
            func text(_ other: Other) -> String { name(other.setting) + (other.value.isEmpty ? "" : " " + other.value) }
            let start = value.isEmpty ? "" : value + " "
            if let other { return "\(start)excludes \(text(other)): \(reason)" }
            return start + reason + (remedy.map { "; \(text($0)) permits it" } ?? "")
        }
    }

    /// Two settings that contradict each other; nil if there are none.
    public var contradiction: Problem? {
        if isPublic {
            if introspectsAll {
                return Problem(
                    .isPublic, excluding: .introspectsAll, "", "only an application with a secret may introspect")
            }
            if consent == .skip {
                return Problem(
                    .isPublic, excluding: .consent, "skip",
                    "another program could pose as it, so people are always asked")
            }
            if pkce == .optional {
                return Problem(.isPublic, excluding: .pkce, "optional", "an application without a secret must use PKCE")
            }
        }
        if grants == [.refresh] {
            return Problem(.grants, "refresh", "needs code or device, which give the first token")
        }
        if scopes.contains("offline_access"), !grants.contains(.refresh) {
            return Problem(.scopes, "offline_access", "needs the grant refresh")
        }
        return nil
    }
}

extension ClientSettings.Problem {
    fileprivate init(
        _ setting: ClientSetting, excluding other: ClientSetting, _ value: String, _ reason: String
    ) {
        self.init(setting, "", reason)
        self.other = Other(other, value)
    }
}
