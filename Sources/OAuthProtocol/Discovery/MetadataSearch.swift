package import AuthHubPrimitives
package import HTTPTypes

/// A search for a metadata document at several URLs: it says which URL to request next, and reads the responses.
///
/// The next URL is requested only if there is no document: after a 4xx other than 429 (some servers return 400, 401 or 403 for every
/// unknown path), a redirect, a web page, or JSON that does not say what it describes. A server that fails (5xx, 429) ends the search, so
/// that it cannot make the client use another document.
package struct MetadataSearch<Document: Sendable>: Sendable {
    /// The URL to request now; nil if none has a document, and after a document was found.
    package private(set) var url: String?
    /// The URLs without a document, with what each returned, in order.
    package private(set) var misses: [(url: String, answer: String)] = []
    /// The well-known URL that is requested now, or that the document was found at, before any redirects.
    package private(set) var place: String?
    private var later: ArraySlice<String>
    private var redirectsLeft: Int
    private let followsRedirects: Bool
    private let transport: TransportPolicy
    private let read: Reader

    typealias Reader = @Sendable (_ url: String, HTTPResponse, Secret<[UInt8]>) throws(OAuthError) -> Document

    private static var redirectLimit: Int { 3 }

    /// - Parameter read: Reads the document in a response, or throws why it is not one.
    init(_ urls: [String], transport: TransportPolicy, followsRedirects: Bool, read: @escaping Reader) {
        url = urls.first
        place = url
        later = urls.dropFirst()
        redirectsLeft = Self.redirectLimit
        self.followsRedirects = followsRedirects
        self.transport = transport
        self.read = read
    }

    /// Accepts the response of ``url``.
    ///
    /// - Returns: The document, or nil if ``url`` must be requested next.
    /// - Throws: ``OAuthError`` if the document cannot be read or describes something else.
    package mutating func accept(_ head: HTTPResponse, body: Secret<[UInt8]>) throws(OAuthError) -> Document? {
        if followsRedirects, redirectsLeft > 0, [301, 302, 303, 307, 308].contains(head.status.code),
            let target = head.headerFields[.location].flatMap({ location in
                url.flatMap { RequestTarget($0) }?.resolving(location)?.url
            }), transport.allows(target)
        {
            redirectsLeft -= 1
            url = target
            return nil
        }
        guard let address = url else { return nil }
        if head.status.saysNothingIsThere {
            miss(address, "\(head.status.code)")
            return nil
        }
        do throws(OAuthError) {
            let document = try read(address, head, body)
            url = nil
            return document
        } catch {
            guard let none = error.underlying as? NoMetadataDocument else { throw error }
            miss(address, none.answer)
            return nil
        }
    }

    private mutating func miss(_ address: String, _ answer: String) {
        misses.append((address, answer))
        proceed()
    }

    /// Continues with the next URL after a document was found or a response was unusable: an issuer may serve documents that complement
    /// each other.
    package mutating func proceed() {
        url = later.popFirst()
        place = url
        redirectsLeft = Self.redirectLimit
    }
}

extension HTTPResponse.Status {
    /// Whether a well-known URL has no document: any 4xx other than 429, which only asks the client to wait (RFC 6585 §4).
    package var saysNothingIsThere: Bool { kind == .clientError && code != 429 }
}
