/// The parameters of a request by name. Empty values count as omitted, and unknown parameters are ignored (RFC 6749,
/// section 3.1).
struct RequestParameters<Value> {
    private let values: [String: Value]
    /// The known names that occur more than once. A provider and a client could read different values.
    let duplicates: Set<String>
    /// The known names with a value that is not UTF-8 or contains NUL. They have no value here.
    let undecodable: Set<String>

    /// - Parameters:
    ///   - pairs: decoded names and values, in any order.
    ///   - known: the names of the parameters that the request can have.
    ///   - undecodable: the names of the parameters with a value that cannot be decoded.
    init(
        _ pairs: [(name: String, value: Value)], known: Set<String>, undecodable: Set<String> = [],
        isEmpty: (Value) -> Bool
    ) {
        var values: [String: Value] = [:]
        var seen: Set<String> = []
        var duplicates: Set<String> = []
        for (name, value) in pairs where known.contains(name) {
            if !seen.insert(name).inserted { duplicates.insert(name) }
            if !isEmpty(value) { values[name] = value }
        }
        for name in duplicates.union(undecodable) { values[name] = nil }
        self.values = values
        self.duplicates = duplicates
        self.undecodable = undecodable.intersection(known)
    }

    /// The value; nil if the parameter is omitted or occurs more than once.
    subscript(name: String) -> Value? { values[name] }

    /// Refuses a request in which a parameter occurs more than once or cannot be decoded.
    func checkSyntax() throws(OAuthError) {
        if let name = duplicates.min() {
            throw OAuthError(.invalidRequest, "The parameter \(name) occurs more than once")
        }
        if let name = undecodable.min() {
            throw OAuthError(.invalidRequest, "The parameter \(name) is not UTF-8 or contains NUL")
        }
    }
}

extension RequestParameters: Sendable where Value: Sendable {}
