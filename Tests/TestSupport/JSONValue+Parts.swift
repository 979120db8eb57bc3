package import LatchkeyForms

extension JSONValue {
    package var members: [(key: String, value: JSONValue)]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The value and all values inside it.
    package var parts: [JSONValue] {
        [self] + (members ?? []).flatMap(\.value.parts) + (elements ?? []).flatMap(\.parts)
    }
}
