package import AuthHubPrimitives
package import HTTPTypes

/// The links in a response's `Link` fields (RFC 8288), such as the link to the next page of a list.
package struct LinkHeader: Sendable, Hashable {
    /// A link: its target and parameters.
    package struct Link: Sendable, Hashable {
        /// A parameter of a link, such as `rel="next"`.
        package struct Parameter: Sendable, Hashable {
            /// The name in lower case.
            package let name: String
            /// The value without quotation marks and escapes; nil if there was no `=`.
            package let value: String?
        }

        /// The reference as written, absolute or relative.
        package let reference: String
        /// The parameters in order, including repetitions.
        package let parameters: [Parameter]
    }

    /// The links in order.
    package let links: [Link]
    /// Whether all fields could be read to their end.
    package let isWhole: Bool

    /// Creates the links from all `Link` fields. A field is read up to its first error, and the links before the error are kept.
    package init(_ fields: HTTPFields) {
        let read = fields.filter { $0.name.canonicalName == "link" }.map { LinkReader.links(in: $0.value) }
        links = read.flatMap(\.links)
        isWhole = read.allSatisfy(\.isWhole)
    }

    /// Returns the links with a relation type that start at the response itself. Links with another context (`anchor`) are left out.
    package func links(rel: String) -> [Link] {
        links.filter { $0["anchor"] == nil && $0.relations.contains(rel.lowercased()) }
    }
}

extension LinkHeader.Link {
    /// The value of the first parameter with a name; later ones are ignored (RFC 8288 §3.3, §3.4.1).
    package subscript(name: String) -> String? {
        parameters.first { $0.name == name.lowercased() }?.value
    }

    /// The relation types in lower case.
    package var relations: [String] {
        self["rel"]?.lowercased().split { $0.isWhitespace }.map(String.init) ?? []
    }

    /// Returns the target of the link, relative to the request whose response contained it; nil if the target is not an http or https URL.
    package func target(from request: HTTPRequest) -> RequestTarget? {
        RequestTarget(request)?.resolving(reference)
    }
}
