import JOSE

/// The cache of servers' keys.
typealias KeySetCache = SharedCache<KeySetRules>
typealias KeySetEntries = CacheEntries<KeySetRules>

/// The rules of the cache of servers' keys.
enum KeySetRules: CacheRules {
    struct Key: Sendable, Hashable {
        /// The server, so that the keys of one server never verify the tokens of another (RFC 8725 §3.8).
        let server: String
        let url: String
        /// Whether the keys are for messages that anyone can send. They must not cause the keys for sign-ins to be read less often.
        var isForStrangers = false
    }

    /// The keys read from a server.
    struct Reading: CacheReading {
        let keys: JSONWebKeySet
        let freshFor: Double
    }

    /// How long a key set without `max-age` is fresh, in seconds.
    static let usualTime: Double = 600
    /// Keys that were withdrawn must not be used forever.
    static let staleLimit: Double = 86_400

    static func cacheTime(of error: SessionError) -> Double { 5 }
}

extension KeySetEntries.Copy {
    var keys: JSONWebKeySet { reading.keys }
}
