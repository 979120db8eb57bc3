extension Game {
    var scoreLine: String { "\(home.name) \(home.points) : \(away.points) \(away.name)" }

    var stateLine: String {
        if isOver { return leader.map { "\($0.name) have won" } ?? "" }
        if clock.isUp { return "time is up: the next point wins" }
        return clock.isRunning ? "" : "paused"
    }
}

extension GameClock {
    /// Minutes and seconds, and tenths in the last minute. Rounded up, so that 0:00.0 means that the time is up.
    var text: String {
        let tenths = (remaining + 99) / 100
        guard tenths < 600 else { return shortText }
        return "0:" + (tenths < 100 ? "0" : "") + "\(tenths / 10).\(tenths % 10)"
    }

    /// Minutes and seconds, rounded up, so that 0:00 means that the time is up.
    var shortText: String {
        let seconds = (remaining + 999) / 1000
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }
}

extension Game {
    /// The move that can be taken back, for example `two points by Ana`.
    var lastMoveLine: String? { lastMove.map { "\($0.move.text) by \(player($0.seat).name)" } }
}

extension Move {
    var text: String {
        switch self {
        case .onePoint: "one point"
        case .twoPoints: "two points"
        case .assist: "assist"
        case .rebound: "rebound"
        case .foul: "foul"
        }
    }
}
