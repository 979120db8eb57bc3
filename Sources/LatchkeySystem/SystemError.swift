/// The operating system said no, and this is its `errno`.
public struct SystemError: Error, Equatable, Sendable {
    public let code: Int32

    public init(code: Int32) { self.code = code }
}
