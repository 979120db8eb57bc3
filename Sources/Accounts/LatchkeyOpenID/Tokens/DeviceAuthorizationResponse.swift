import LatchkeyForms
package import LatchkeySecrets

/// The response to a request for a device code (RFC 8628, section 3.2).
package struct DeviceAuthorizationResponse: Sendable {
    /// The code with which the device polls.
    package let deviceCode: Secret
    /// The code for the person.
    package let userCode: UserCode
    /// The page on which the person types the code.
    package let verificationURI: String
    /// The lifetime of both codes in seconds.
    package let expiresIn: Int
    /// The minimum time between two polls in seconds.
    package let interval: Int

    /// Creates a response.
    package init(deviceCode: Secret, userCode: UserCode, verificationURI: String, expiresIn: Int, interval: Int) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.expiresIn = expiresIn
        self.interval = interval
    }

    /// The body in JSON. Send it with `Cache-Control: no-store`.
    package var body: Secret {
        let members: [(key: String, value: JSONValue)] = [
            ("user_code", .string(userCode.text)), ("verification_uri", .string(verificationURI)),
            (
                "verification_uri_complete",
                .string(URIQuery.adding([("user_code", userCode.text)], to: verificationURI))
            ),
            ("expires_in", .integer(expiresIn)), ("interval", .integer(interval)),
        ]
        return JSONValue.object(members).encoded(adding: [("device_code", .text(deviceCode))])
    }
}
