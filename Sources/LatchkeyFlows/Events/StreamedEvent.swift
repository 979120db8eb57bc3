/// What an ``EventStream`` hands on: a value that says whether it tells how things are, for those who come late.
public protocol StreamedEvent: Sendable {
    /// Whether it tells how things are, and not only how they were.
    var isPresent: Bool { get }
    /// Whether `earlier` is no longer so after this.
    func outdates(_ earlier: Self) -> Bool
}

extension StreamedEvent {
    public var isPresent: Bool { false }
    public func outdates(_ earlier: Self) -> Bool { false }
}

extension AccountEvent: StreamedEvent {
    public var isPresent: Bool {
        switch self {
        case .call(.began), .navigation(.opened), .navigation(.moved), .activity(.busy), .session(.began): true
        case .call, .form, .navigation(.left), .activity(.idle), .session(.ended), .session(.othersEnded),
            .administration:
            false
        }
    }

    public func outdates(_ earlier: AccountEvent) -> Bool {
        switch (self, earlier) {
        case (.session(.othersEnded), _): false
        case (.navigation, .navigation), (.session, .session), (.activity, .activity): true
        case (.session(.began), .navigation): true  // no flow is shown any more
        case (.call(.ended(let id, _, _)), .call(.began(let begun, _))),
            (.call(.abandoned(let id, _)), .call(.began(let begun, _))):
            id == begun
        default: false
        }
    }
}
