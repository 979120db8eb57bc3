import LatchkeyWeb

/// The name of a client program for the list of sessions: `Firefox on Linux`, `curl`.
///
/// It is derived from `User-Agent`, which any client can forge. Only known names and short product names are used.
enum DeviceName {
    private static let browsers = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"),
        ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iPadOS"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Mac OS X", "macOS"), ("Linux", "Linux"),
    ]

    /// The icon for a program with this name: a terminal unless it is a browser.
    static func icon(of name: String) -> Icon {
        guard !name.isEmpty else { return .screen }
        guard browsers.contains(where: { name == $0.1 || name.hasPrefix($0.1 + " on ") }) else { return .terminal }
        return ["Android", "iOS", "iPadOS"].contains { name.hasSuffix(" on " + $0) } ? .phone : .laptop
    }

    /// - Parameter agent: the value of `User-Agent`; nil if there is none.
    static func name(of agent: String?) -> String {
        guard let agent, agent.utf8.count <= 1024 else { return "" }
        if let browser = browsers.first(where: { agent.contains($0.0) })?.1 {
            guard let system = systems.first(where: { agent.contains($0.0) })?.1 else { return browser }
            return browser + " on " + system
        }
        let product = agent.prefix { $0 != "/" && $0 != " " && $0 != "(" }
        let isPlain = product.utf8.allSatisfy { byte in
            byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "-")
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        // The name for an operator's session is reserved.
        return isPlain && product.utf8.count <= 40 && product.lowercased() != "operator" ? String(product) : ""
    }
}
