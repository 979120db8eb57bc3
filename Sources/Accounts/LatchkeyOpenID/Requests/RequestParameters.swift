/// The parameters of a request by name. Empty values count as omitted, and unknown parameters are ignored (RFC 6749,
/// section 3.1).
struct RequestParameters<Value> {
    private let values: [String: Value]
    /// The known names that occur more than once. A provider and a client could read different values.
    let duplicates: Set<String>

    /// - Parameters:
    ///   - pairs: decoded names and values, in any order.
    ///   - known: the names of the parameters that the request can have.
    init(_ pairs: [(name: String, value: Value)], known: Set<String>, isEmpty: (Value) -> Bool) {
        var values: [String: Value] = [:]
        var seen: Set<String> = []
        var duplicates: Set<String> = []
        for (name, value) in pairs where known.contains(name) {
            if !seen.insert(name).inserted { duplicates.insert(name) }
            if !isEmpty(value) { values[name] = value }
        }
        for name in duplicates { values[name] = nil }
        self.values = values
        self.duplicates = duplicates
    }

    /// The value; nil if the parameter is omitted or occurs more than once.
    subscript(name: String) -> Value? { values[name] }

    /// Refuses a request in which a parameter occurs more than once.
    func checkDuplicates() throws(OAuthError) {
        guard let name = duplicates.min() else { return }
        throw OAuthError(.invalidRequest, "The parameter \(name) occurs more than once")
    }
}

extension RequestParameters: Sendable where Value: Sendable {}
