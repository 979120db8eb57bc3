import Testing

@testable import scoreboard

@Suite(.timeLimit(.minutes(60)))
struct FirstGameTests {
    @Test func `two points count for the player and for the team`() {
        let names = ["Ana", "Bea", "Cleo", "Xena", "Yara", "Zoe"].map { Player(name: $0) }
        var game = Game(
            id: 1, home: Team(name: "Lions", players: Array(names[..<3])),
            away: Team(name: "Tigers", players: Array(names[3...])))
        let ana = Seat(side: .home, place: 0)
        let isCounted = game.record(.twoPoints, by: ana, at: 0)
        #expect(isCounted && game.player(ana).points == 2 && game.home.points == 2)
        let isBack = game.takeBack(number: 1, at: 0)
        #expect(isBack && game.home.points == 0)
    }
}
