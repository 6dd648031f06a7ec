import AuthHubPrimitives

/// The requested part of a list, and the links to the other parts, as GitHub formats them (RFC 8288 §3).
struct PageLinks: Sendable {
    let page: Int
    let size: Int
    let total: Int

    /// Creates the links. Sizes above 100 count as 100; invalid and non-positive numbers count as missing.
    init(query: FormParameters, defaultSize: Int, total: Int) {
        size = min(query["per_page"].flatMap(Self.positive) ?? defaultSize, 100)
        page = query["page"].flatMap(Self.positive) ?? 1
        self.total = total
    }

    private var pageCount: Int { max(1, (total + size - 1) / size) }

    var range: Range<Int> {
        guard page <= pageCount else { return total..<total }
        return (page - 1) * size..<min(page * size, total)
    }

    /// Returns the value of the `Link` header; nil if everything fits on one page.
    func header(address: String, query: FormParameters) -> String? {
        guard pageCount > 1 else { return nil }
        var links: [(relation: String, page: Int)] = []
        if page > 1 { links.append(("prev", min(page - 1, pageCount))) }
        if page < pageCount { links += [("next", page + 1), ("last", pageCount)] }
        if page > 1 { links.append(("first", 1)) }
        return links.map { link in
            var target = query
            target.set("page", to: String(link.page))
            return "<\(address)?\(target.encoded(spaces: .percent))>; rel=\"\(link.relation)\""
        }.joined(separator: ", ")
    }

    private static func positive(_ text: String) -> Int? {
        Int(text).flatMap { $0 > 0 ? $0 : nil }
    }
}
