package import LatchkeyForms

extension JSONValue {
    package var members: [(key: String, value: JSONValue)]? {
        guard case .object(let members) = self else { return nil }
        return members
    }
}
