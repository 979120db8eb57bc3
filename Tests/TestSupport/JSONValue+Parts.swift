package import LatchkeyForms

extension JSONValue {
    package var members: [(key: String, value: JSONValue)]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    package var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    package var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return number
    }
}
