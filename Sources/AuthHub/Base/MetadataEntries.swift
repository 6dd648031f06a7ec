import HTTPLoading
import HTTPTypes
import OAuthProtocol

/// The cache of servers' metadata.
typealias MetadataCache = SharedCache<MetadataRules>
typealias MetadataEntries = CacheEntries<MetadataRules>

/// The rules of the cache of servers' metadata.
enum MetadataRules: CacheRules {
    struct Key: Sendable, Hashable {
        let issuer: Issuer
        let quirks: ProviderQuirks.DiscoveryQuirks
        var extent = Extent.firstDocument
    }

    /// Which of an issuer's documents are read.
    enum Extent: Sendable {
        case firstDocument
        /// All. The first one takes precedence.
        case allDocuments
        /// All. That of OpenID Connect takes precedence.
        case allDocumentsForOpenID
    }

    /// The metadata read from an issuer.
    struct Reading: CacheReading {
        let metadata: ServerMetadata
        /// Whether OpenID Connect Discovery 1.0 §4 defines the place of the first document.
        var isForOpenID = false
        /// The rest of the search, for the issuer's other documents.
        var rest: MetadataSearch<ServerMetadata>?
        let freshFor: Double
    }

    static let staleLimit: Double = 7 * 86_400

    /// An invalid response is cached longer than one that says that the server is unavailable.
    static func cacheTime(of error: SessionError) -> Double { error.code == .unreachable ? 5 : 30 }
}

extension MetadataEntries.Copy {
    var metadata: ServerMetadata { reading.metadata }
}

extension MetadataRules {
    /// How long a document without `max-age` is fresh, in seconds.
    static let usualTime: Double = 3600
    /// The minimum, whatever the server says: many sign-ins must not cause as many requests for metadata.
    static let shortestTime: Double = 300
    /// The maximum, whatever the server says: endpoints that were withdrawn must not be used forever.
    static let longestTime: Double = 86_400

    /// Returns how long a document is fresh according to `Cache-Control` and `Age` (RFC 9111 §4.2.1), within limits.
    ///
    /// The document is public and contains no secret, so `no-store` does not mean that every use has to fetch it.
    ///
    /// - Parameter usualTime: How long a document without `max-age` is fresh, in seconds.
    static func freshness(of head: HTTPResponse, usually usualTime: Double = usualTime) -> Double {
        let fields = head.headerFields[values: .cacheControl].flatMap { $0.lowercased().split(separator: ",") }
        let directives = fields.map { field in String(field.filter { !$0.isWhitespace }) }
        if directives.contains(where: { ["no-store", "no-cache"].contains($0) }) { return shortestTime }
        let ages = directives.compactMap { directive -> Double? in
            guard directive.hasPrefix("max-age=") else { return nil }
            return seconds(directive.dropFirst(8).filter { $0 != "\"" }[...]) ?? 0
        }
        guard let age = ages.min() else { return usualTime }
        let spent = head.headerFields[.age].flatMap { seconds($0[...]) } ?? 0
        return min(max(age - spent, shortestTime), longestTime)
    }

    private static func seconds(_ text: Substring) -> Double? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Double(text) : nil
    }
}
