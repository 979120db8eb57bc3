extension Game {
    var scoreLine: String { "\(home.name) \(home.points) : \(away.points) \(away.name)" }

    var stateLine: String {
        if isOver { return leader.map { "\($0.name) have won" } ?? "" }
        if clock.isUp { return "time is up: the next point wins" }
        return clock.isRunning ? "" : "paused"
    }
}

extension GameClock {
    /// Minutes and seconds, rounded up: 0:00 only when the time is up.
    var text: String {
        let seconds = (remaining + 999) / 1000
        return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    }
}
