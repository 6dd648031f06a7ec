import AuthHubPrimitives

/// The URL of the next page in a page's body.
enum PageLinks {
    /// The members of pages that contain the URL of the next page, or an object with it, the first of which decides: OData, JSON:API, HAL,
    /// Facebook; Bitbucket, Spotify and Django.
    private static let members = [["@odata.nextLink"], ["links", "next"], ["_links", "next"], ["paging", "next"], ["next"]]

    /// The members of pages that show that there is a next one, without its URL, in lower case and without underscores.
    private static let tokens: Set<String> = ["nextpagetoken", "nextpage", "nextcursor", "nexttoken", "nextoffset", "nextlink", "nexturl"]

    /// Returns the URL of the next page, absolute or relative; nil if the page is the last one.
    ///
    /// - Throws: ``Failure`` if the page shows that there is a next one, but not its URL.
    static func reference(in page: JSONValue) throws(Failure) -> String? {
        guard let object = page.object else { return nil }
        if let next = members.lazy.compactMap({ named(page.member(at: $0)) }).first ?? listed(in: page) {
            guard let text = next.string, isReference(text) else {
                throw .unknownNextPage("its link to the next page is not a URL")
            }
            return text
        }
        let objects = [object] + object.members.compactMap(\.value.object)
        if let sign = objects.lazy.flatMap(\.members).first(where: isSign) {
            throw .unknownNextPage(
                "its member \(displayable(sign.name, limit: 100)) shows that there are more pages, but it has no link to the next one")
        }
        return nil
    }

    /// Returns the value that names the next page; nil if there is none.
    private static func named(_ value: JSONValue?) -> JSONValue? {
        switch value {
        case nil, .null?, "", false: nil
        case .object(let object)?: object["href"].map { named($0) } ?? value
        case let value?: value
        }
    }

    /// Returns the URL in a list of links: `[{"rel": "next", "href": "…"}]`, or `relation` and `url` as in FHIR.
    private static func listed(in page: JSONValue) -> JSONValue? {
        let links = ["links", "link", "_links"].lazy.flatMap { page[$0]?.array ?? [] }
        let next = links.first { ($0["rel"] ?? $0["relation"]) == "next" }
        return next.flatMap { named($0["href"] ?? $0["url"]) }
    }

    private static func isReference(_ text: String) -> Bool {
        ["https://", "http://", "/", "?"].contains { text.lowercased().hasPrefix($0) }
    }

    private static func isSign(_ member: JSONObject.Member) -> Bool {
        if PageCursor.flags.contains(member.name) { return member.value == true }
        guard tokens.contains(member.name.lowercased().replacing("_", with: "")) else { return false }
        switch member.value {
        case .null, "", false, .array, .object: return false
        default: return true
        }
    }
}
