public import AuthHubPrimitives
public import HTTPTypes

/// The links of a response's `Link` fields (RFC 8288), such as those to the next page of a list.
public struct LinkHeader: Sendable, Hashable {
    /// One link: where it leads, and what is said of it.
    public struct Link: Sendable, Hashable {
        public struct Parameter: Sendable, Hashable {
            /// In lower case.
            public let name: String
            /// Without quotation marks and escapes; nil where there was no `=`.
            public let value: String?
        }

        /// A reference as written, absolute or relative.
        public let reference: String
        /// In their order, repeats kept.
        public let parameters: [Parameter]
    }

    /// In their order.
    public let links: [Link]

    /// Reads all `Link` fields. A field is read up to its first error: the links before that are kept.
    public init(_ fields: HTTPFields) {
        links = fields.filter { $0.name.canonicalName == "link" }.flatMap { LinkReader.links(in: $0.value) }
    }

    /// The links of this relation type to the response's own context; those that name another context by `anchor` are left out.
    public func links(rel: String) -> [Link] {
        links.filter { $0["anchor"] == nil && $0.relations.contains(rel.lowercased()) }
    }
}

extension LinkHeader.Link {
    /// The value of the first parameter of this name; later ones do not count (RFC 8288 §3.3, §3.4.1).
    public subscript(name: String) -> String? {
        parameters.first { $0.name == name.lowercased() }?.value
    }

    /// The relation types, in lower case.
    public var relations: [String] {
        self["rel"]?.lowercased().split { $0.isWhitespace }.map(String.init) ?? []
    }

    /// Where the link leads from a response of this request; nil where that is no http or https URL.
    public func target(from request: HTTPRequest) -> RequestTarget? {
        RequestTarget(request)?.resolving(reference)
    }
}
