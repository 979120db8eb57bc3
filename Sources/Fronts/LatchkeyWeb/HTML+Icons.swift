/// A drawing next to words. It never stands alone, so screen readers skip it.
package enum Icon: String, Sendable {
    case key = "M4 16a4 4 0 1 0 8 0 4 4 0 1 0-8 0m7-3 8.5-8.5M16 8l3 3"
    case lock = "M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3"
    case screen = "M3 4h18v12H3zM8 20h8M12 16v4"
    case laptop = "M4 5h16v11H4zM2 19.5h20"
    case phone = "M9 3h6a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M11 18h2"
    case terminal = "M3 4h18v16H3zM7 9l3 3-3 3M12 15h5"
    case mail = "M3 5h18v14H3zM4 7.5l8 6 8-6"
    case check = "m5 12.5 4.5 4.5L19 7.5"
}

/// The sign above the heading of a page.
enum Sign: Sendable {
    case icon(Icon)
    /// The first letter of a name.
    case initial(of: String)
}

extension HTML {
    /// - Parameter isSign: whether the icon is the sign of the page.
    mutating func icon(_ icon: Icon, isSign: Bool = false) {
        element(
            "svg",
            [
                .with("class", isSign ? "icon sign" : "icon"), .with("viewBox", "0 0 24 24"),
                .with("aria-hidden", "true"),
            ]
        ) { html in html.element("path", [.with("d", icon.rawValue)]) }
    }

    mutating func sign(_ sign: Sign) {
        switch sign {
        case .icon(let icon): self.icon(icon, isSign: true)
        case .initial(of: let name):
            element("span", [.with("class", "sign"), .with("aria-hidden", "true")], name.prefix(1).uppercased())
        }
    }

    /// The mark of a service without a logo.
    mutating func mark() {
        element(
            "svg",
            [
                .with("viewBox", "0 0 32 32"), .with("width", "32"), .with("height", "32"),
                .with("aria-hidden", "true"),
            ]
        ) { html in
            html.element(
                "rect", [.with("class", "mark"), .with("width", "32"), .with("height", "32"), .with("rx", "7")])
            html.element(
                "path",
                [
                    .with("class", "mark"), .with("fill", "none"), .with("stroke-width", "3"),
                    .with("stroke-linecap", "round"), .with("stroke-linejoin", "round"),
                    .with("d", "M7 20.5a4.5 4.5 0 1 0 9 0 4.5 4.5 0 1 0-9 0m8-3.5 9-9m-3.5 3.5 3.5 3.5"),
                ])
        }
    }
}
