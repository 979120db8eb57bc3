/// The ID of a store on another machine, and what shows that a key belongs to it.
public struct StoreIdentity: Equatable, Sendable {
    /// 16 random bytes.
    public let id: [UInt8]
    /// ``StoreKey/tag(ofStore:)``, 32 bytes.
    public let keyTag: [UInt8]

    /// Describes a store to create.
    public init(id: [UInt8], keyTag: [UInt8]) {
        self.id = id
        self.keyTag = keyTag
    }
}
