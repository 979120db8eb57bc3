package import LatchkeyForms

extension AppDependency {
    /// Makes a call. Reports the call and its response on the event stream.
    ///
    /// - Parameter id: connects the events of the call. It must be unique on the stream.
    package func perform(_ type: AccountType, with credentials: Credentials, id: UInt64) async -> NetworkResponse {
        events.emit(.call(.began(id: id, call: type)))
        let response = await networking.perform(call: type, with: credentials)
        events.emit(.call(.ended(id: id, call: type, code: response.code)))
        if let refusal = response.refusal { events.emit(.call(.refused(id: id, call: type, refusal))) }
        return response
    }
}
