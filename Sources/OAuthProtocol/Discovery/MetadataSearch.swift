public import AuthHubPrimitives
public import HTTPTypes

/// Looks for a document at the addresses where it may lie: which is next, and what an answer means.
///
/// The next URL is requested only after a 4xx other than 429: 404 says that nothing is there, and some servers return 400, 401 or 403 for
/// every unknown path. A server that fails (5xx, 429) ends the search: it must not make a client go on to a document of someone else.
public struct MetadataSearch<Document: Sendable>: Sendable {
    /// The URL to request now; nil if none has a document, and after a document was found.
    public private(set) var url: String?
    /// The URLs without a document, with the status of each response, in order.
    public private(set) var misses: [(url: String, status: Int)] = []
    private var later: ArraySlice<String>
    private var redirectsLeft: Int
    private let followsRedirects: Bool
    private let transport: TransportPolicy
    private let read: @Sendable (HTTPResponse, Secret<[UInt8]>) throws(OAuthError) -> Document

    private static var redirectLimit: Int { 3 }

    /// - Parameter read: Makes the document of an answer, or says why it is none.
    init(
        _ urls: [String], transport: TransportPolicy, followsRedirects: Bool,
        read: @escaping @Sendable (HTTPResponse, Secret<[UInt8]>) throws(OAuthError) -> Document
    ) {
        url = urls.first
        later = urls.dropFirst()
        redirectsLeft = Self.redirectLimit
        self.followsRedirects = followsRedirects
        self.transport = transport
        self.read = read
    }

    /// Takes what ``url`` answered.
    ///
    /// - Returns: The document, or nil where ``url`` is to be asked next.
    /// - Throws: ``OAuthError`` as the document does, also for a redirect that is not to be followed: where that is not wished, to an address
    ///   that is not https, or the fourth in a row.
    public mutating func accept(_ head: HTTPResponse, body: Secret<[UInt8]>) throws(OAuthError) -> Document? {
        if followsRedirects, redirectsLeft > 0, [301, 302, 303, 307, 308].contains(head.status.code),
            let target = head.headerFields[.location].flatMap({ location in
                url.flatMap { RequestTarget($0) }?.resolving(location)?.url
            }), transport.allows(target)
        {
            redirectsLeft -= 1
            url = target
            return nil
        }
        if head.status.saysNothingIsThere {
            if let url { misses.append((url, head.status.code)) }
            proceed()
            return nil
        }
        let document = try read(head, body)
        url = nil
        return document
    }

    /// Goes on to the next URL after a document was found, or a response was useless: an issuer may serve documents that complement each
    /// other.
    package mutating func proceed() {
        url = later.popFirst()
        redirectsLeft = Self.redirectLimit
    }
}

extension HTTPResponse.Status {
    /// Whether a well-known URL has no document: any 4xx other than 429, which only asks the client to wait (RFC 6585 §4).
    package var saysNothingIsThere: Bool { kind == .clientError && code != 429 }
}
