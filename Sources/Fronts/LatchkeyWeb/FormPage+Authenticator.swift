import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

extension FormPage {
    /// Adds the three steps of setting up an authenticator app: get one, scan the QR code or type the key, and enter a
    /// code. A wrong code keeps them.
    func addAuthenticator(_ authenticator: (uri: Secret, secret: Secret), to html: inout HTML) {
        html.element("form", formAttributes) { html in
            addHidden(to: &html)
            html.element("ol", [.with("class", "steps")]) { html in
                html.element("li") { html in
                    html.element("h2", site.sentence("app_get"))
                    html.element("p", site.sentence("app_get_explained"))
                }
                html.element("li") { html in
                    html.element("h2", site.sentence("app_scan"))
                    if let code = QRCode(authenticator.uri) { html.qrCode(code, title: site.sentence("qr_code")) }
                    html.element("p") { html in
                        html.element("a", [.with("href", authenticator.uri.shownText)], site.sentence("open_app"))
                    }
                    html.element("details") { html in
                        html.element("summary", site.sentence("type_key"))
                        addKey(authenticator.secret, to: &html)
                    }
                }
                html.element("li") { html in
                    html.element("h2", site.sentence("app_code"))
                    addFields(to: &html)
                    html.element("button", [.with("id", "submit")], site.sentence("app_turn_on"))
                }
            }
        }
    }

    /// Adds what an app needs if it cannot scan the QR code.
    private func addKey(_ secret: Secret, to html: inout HTML) {
        var facts = [(site.sentence("app_issuer"), site.name)]
        if let name = site.accountName { facts.insert((site.sentence("app_account"), name), at: 0) }
        html.element("dl", [.with("class", "facts")]) { html in
            for (title, value) in facts {
                html.element("div") { html in
                    html.element("dt", title)
                    html.element("dd") { html in html.element("bdi", value) }
                }
            }
            html.element("div") { html in
                html.element("dt", site.sentence("app_key"))
                html.element("dd", [.with("class", "code"), .with("id", "key")], secret.shownText)
            }
            html.element("div") { html in
                html.element("dt", site.sentence("app_kind"))
                html.element("dd", site.sentence("app_kind_value"))
            }
        }
    }
}
