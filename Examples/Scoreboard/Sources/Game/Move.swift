/// A move that is counted.
enum Move: CaseIterable, Sendable {
    case onePoint, twoPoints, assist, rebound, foul

    var points: Int {
        switch self {
        case .onePoint: 1
        case .twoPoints: 2
        case .assist, .rebound, .foul: 0
        }
    }
}
