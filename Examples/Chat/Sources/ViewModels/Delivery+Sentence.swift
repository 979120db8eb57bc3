extension Delivery {
    var sentence: String {
        switch self {
        case .sending: "sending"
        case .sent: "sent"
        case .read: "read"
        case .failed(.loggedOut): "not sent: you are not signed in any more"
        case .failed(.store(let why)): "not sent: " + why.sentence
        }
    }
}
