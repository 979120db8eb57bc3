/// SHA-256 of a session's token, 32 bytes: what a store keeps and looks up in the token's place.
public struct SessionDigest: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}
