/// An address of the provider that an application's page of settings asks for.
package struct ProviderEndpoint: Sendable {
    /// The name for people.
    package let title: String
    /// The name in the metadata.
    package let key: String
    package let url: String

    package init(title: String, key: String, url: String) {
        self.title = title
        self.key = key
        self.url = url
    }
}
