extension JSONValue {
    /// In the order of the alphabet.
    package static func object(texts: [String: String]) -> JSONValue {
        .object(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// The members of an object that are all texts.
    package var texts: [String: String]? {
        guard case .object(let members) = self else { return nil }
        var texts: [String: String] = [:]
        for (key, value) in members {
            guard let text = value.string else { return nil }
            texts[key] = text
        }
        return texts
    }
}
