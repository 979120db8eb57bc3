import LatchkeyForms
package import LatchkeySecrets

/// A page that only shows a message.
package struct NoticePage: Sendable {
    private let title: String
    private let sentences: [String]
    private let sign: Icon?
    private let action: (text: String, path: String)?
    private let links: [(text: String, path: String)]
    private let site: WebSite

    /// - Parameters:
    ///   - sign: the icon above the title; nil for none.
    ///   - action: the page that most people want next; nil for none.
    ///   - links: links to other pages.
    package init(
        _ title: String, _ sentences: [String] = [], sign: Icon? = nil, action: (text: String, path: String)? = nil,
        links: [(text: String, path: String)] = [], on site: WebSite
    ) {
        self.title = title
        self.sign = sign
        self.action = action
        self.sentences = sentences
        self.links = links
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(title, sign: sign.map(Sign.icon)) { html in
            for sentence in sentences { html.element("p", sentence) }
            if let action {
                html.element("a", [.with("class", "button"), .with("href", action.path)], action.text)
            }
            site.addLinks(links, to: &html)
        }
    }
}

/// A page that asks for confirmation.
package struct QuestionPage: Sendable {
    private let title: String
    private let sentence: String
    private let answer: String
    private let action: (path: String, name: String, value: String)
    private let isDangerous: Bool
    private let site: WebSite

    /// - Parameters:
    ///   - isDangerous: whether something is lost for good.
    ///   - answer: the label of the button that confirms.
    ///   - action: the path to which the button posts, and the posted value.
    package init(
        _ title: String, _ sentence: String, answer: String,
        posting action: (path: String, name: String, value: String), isDangerous: Bool = true, on site: WebSite
    ) {
        self.isDangerous = isDangerous
        self.title = title
        self.sentence = sentence
        self.answer = answer
        self.action = action
        self.site = site
    }

    /// The page.
    package var html: String {
        site.page(title, hasBackLink: true) { html in
            html.element("p", sentence)
            html.element(
                "form", [.with("method", "post"), .with("action", action.path), .with("class", "row pair")]
            ) { html in
                html.element(
                    "a", [.with("class", "button quiet"), .with("href", "/account")], site.sentence("cancel"))
                html.element(
                    "button",
                    [
                        .with("class", isDangerous ? "danger" : nil), .with("name", action.name),
                        .with("value", action.value),
                    ], answer)
            }
        }
    }
}

/// The page that shows the codes for a lost authenticator app. They are shown only once.
package struct SavedCodesPage: Sendable {
    private let codes: [Secret]
    private let next: String
    private let site: WebSite

    /// - Parameter next: the page to open afterwards.
    package init(_ codes: [Secret], next: String, on site: WebSite) {
        self.codes = codes
        self.next = next
        self.site = site
    }

    /// The page. Copy and Print need the script; Download is a link with the text of the file.
    package var html: String {
        site.page(site.sentence("saved_codes")) { html in
            if let account = site.accountName {
                let sentence = site.sentence(
                    "saved_codes_for", ["account": .text(HTML.place), "service": .text(site.name)])
                html.lead(sentence, emphasizing: account)
            }
            html.element("p", site.sentence("saved_codes_explained"))
            html.element("ul", [.with("class", "codes"), .with("id", "codes")]) { html in
                for code in codes { html.element("li", [.with("class", "code")], code.shownText) }
            }
            html.element("div", [.with("class", "row pair")]) { html in
                html.copyButton(of: "codes", on: site)
                html.element(
                    "a", [.with("class", "button quiet"), .with("download", "codes.txt"), .with("href", file)],
                    site.sentence("download"))
                html.element(
                    "button",
                    [
                        .with("class", "quiet"), .with("type", "button"), .with("data-print", "page"),
                        .flag("hidden"),
                    ], site.sentence("print"))
            }
            html.element("a", [.with("class", "button"), .with("href", next)], site.sentence("saved_codes_done"))
        }
    }

    /// The codes as the address of a text file.
    private var file: String {
        let owner = site.name + (site.accountName.map { ", " + $0 } ?? "")
        let lines = [owner, ""] + codes.map(\.shownText) + [""]
        return "data:text/plain;charset=utf-8," + PercentEncoding.encoded(lines.joined(separator: "\n"))
    }
}
