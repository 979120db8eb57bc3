import LatchkeyForms

/// A chart with a bar for each day, next to its title. Its sentence says what the bars show.
package struct PageChart: Sendable {
    /// A day: what worked, and above it what failed.
    package struct Day: Sendable {
        package let good: Int
        package let bad: Int

        package init(good: Int, bad: Int) { (self.good, self.bad) = (good, bad) }
    }

    let id: String
    let title: String
    let help: String
    let description: String
    let days: [Day]
    let first: String
    let last: String

    /// - Parameters:
    ///   - description: the chart in words, for people who cannot see it.
    ///   - days: the days, the oldest first.
    ///   - first: the first day, in words.
    ///   - last: the last day, in words.
    package init(
        _ id: String, _ title: String, help: String, describedAs description: String, _ days: [Day],
        from first: String, to last: String
    ) {
        self.id = id
        self.title = title
        self.help = help
        self.description = description
        self.days = days
        self.first = first
        self.last = last
    }
}

extension HTML {
    /// The size of the drawing, and the width of a day with the space between two.
    private static let (height, day, space) = (120, 40, 8)

    /// Adds a chart as a drawing without a script.
    mutating func add(_ chart: PageChart) {
        element("section", [.with("class", "group"), .with("aria-labelledby", chart.id)]) { html in
            html.element("div") { html in
                html.element("h2", [.with("id", chart.id)], chart.title)
                html.element("p", [.with("class", "help")], chart.help)
            }
            html.element("div", [.with("class", "panel")]) { html in
                html.element("figure") { html in
                    html.addBars(of: chart)
                    html.element("figcaption", [.with("class", "row head help")]) { html in
                        html.element("span", chart.first)
                        html.element("span", chart.last)
                    }
                }
            }
        }
    }

    private mutating func addBars(of chart: PageChart) {
        let most = max(1, chart.days.map { $0.good + $0.bad }.max() ?? 1)
        // The space for the bars, without the line between good and bad. A day with anything has a bar.
        func bar(_ count: Int) -> Int { count == 0 ? 0 : max(2, count * (Self.height - 10) / most) }
        element(
            "svg",
            [
                .with("class", "chart"), .with("viewBox", "0 0 \(chart.days.count * Self.day) \(Self.height)"),
                .with("preserveAspectRatio", "none"), .with("role", "img"), .with("aria-label", chart.description),
            ]
        ) { html in
            for (place, day) in chart.days.enumerated() {
                let (good, bad) = (bar(day.good), bar(day.bad))
                let x = place * Self.day + Self.space / 2
                // A day without a login has a line, so that it does not look forgotten.
                html.addBar(at: x, Self.height - max(good, 1), height: max(good, 1), isBad: false)
                if bad > 0 { html.addBar(at: x, Self.height - good - bad - 2, height: bad, isBad: true) }
            }
        }
    }

    private mutating func addBar(at x: Int, _ y: Int, height: Int, isBad: Bool) {
        element(
            "rect",
            [
                .with("class", isBad ? "bad" : nil), .with("x", String(x)), .with("y", String(y)),
                .with("width", String(Self.day - Self.space)), .with("height", String(height)),
            ])
    }
}
