package import LatchkeyAccounts
import LatchkeyForms

/// The settings of `serve`. Only `latchkey-service` can parse the texts.
package struct ServiceSettings: Sendable {
    /// The addresses of the listeners; empty for the standard one.
    package let listen: [Text]
    /// The port of a listener whose address has none.
    package let port: Int
    /// The group of the Unix sockets; nil for the process's group.
    package let socketGroup: Text?
    /// The public origin of the service; nil if it is not set.
    package let origin: WebOrigin?
    /// Whether the origin may be `http` on a network.
    package let allowsInsecureOrigin: Bool
    /// The networks of the proxies, or `unix`.
    package let trustedProxies: [Text]
    /// The header in which proxies name the client.
    package let proxyHeader: String
    /// The sites to which pages may lead back, as `NAME=URL` or `URL`.
    package let returnOrigins: [Text]
    /// The domain whose hosts can verify a session; nil for none.
    package let cookieDomain: Text?
    /// The folder of the theme; nil for none.
    package let theme: String?
    /// The address of the listener for monitoring; nil for none.
    package let metricsListen: Text?
    /// The people who may sign up.
    package let registration: String
    /// The number of requests per client and minute that may change data.
    package let changesPerMinute: Int
    /// The number of sign-ups per client and day.
    package let signUpsPerDay: Int
    /// The number of recovery requests per client and hour.
    package let recoveriesPerHour: Int

    /// The text of a setting, with its origin for a refusal.
    package struct Text: Sendable {
        package let text: String
        private let setting: Setting
        private let entry: SettingValues.Entry

        init(_ text: String, of setting: Setting, _ entry: SettingValues.Entry) {
            (self.text, self.setting, self.entry) = (text, setting, entry)
        }

        /// The failure for a text that is not as expected: status 64 for a flag or variable, 78 for a file.
        package func refused(_ expected: ExpectedValue) -> ToolFailure {
            guard let place = entry.place else { return .badValue(entry.origin.name, expected) }
            let failure = ToolFailure.Entry("\"\(setting.key)\"", mustBe: expected)
            return .configurationRefused(
                FormDescriptionError(
                    file: entry.origin.name, place: place, problem: .init(failure.sentence, failure.values)))
        }
    }

    /// The public origin. If it is not set, that of a trial on this machine.
    package var originOrTrial: WebOrigin? { origin ?? WebOrigin("http://localhost:\(port)") }

    /// Refuses an origin that passwords would reach without encryption.
    ///
    /// - Throws: status 78.
    package func checkOrigin() throws(ToolFailure) {
        guard let origin, !allowsInsecureOrigin, origin.exposesPasswords else { return }
        throw .originInsecure(origin: origin.text)
    }
}
