/// How events wait in a file, and where.
public struct EventSpill<Value: Sendable>: Sendable {
    let folder: String
    let encode: @Sendable (Value) -> [UInt8]
    let decode: @Sendable ([UInt8]) -> Value?

    /// - Parameters:
    ///   - folder: where the file lies, under no name: it is gone when the listener is, however the process ends.
    ///   - encode: an event as bytes without a newline.
    ///   - decode: the same event of these bytes.
    public init(
        inFolder folder: String, encode: @escaping @Sendable (Value) -> [UInt8],
        decode: @escaping @Sendable ([UInt8]) -> Value?
    ) {
        self.folder = folder
        self.encode = encode
        self.decode = decode
    }
}
