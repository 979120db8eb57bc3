/// Which of an account's sessions are meant.
public enum SessionChoice: Equatable, Sendable {
    /// The one of that ``Session/shortID``, in either case.
    case one(String)
    /// All but the one that asks; for an operator, who has none, all.
    case others
    case all

    func includes(_ session: Session, askedBy own: SessionDigest?) -> Bool {
        switch self {
        case .one(let id): session.shortID.utf8.elementsEqual(id.lowercased().utf8)
        case .others: session.digest != own
        case .all: true
        }
    }
}
