import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The source of the keys that a server signs with.
enum KeySetSource: Sendable {
    /// The URL that the metadata of this issuer names.
    case issuer(String)
    case keySet(url: String)
    /// The URL of a key set or of an issuer.
    case either(url: String)

    /// Requests the keys.
    ///
    /// - Throws: ``SessionError``: `.misconfigured` if the issuer's metadata names no key set, or if the URL is neither that of a key set
    ///   nor an issuer; `.securityCheckFailed` if the metadata belongs to another issuer; otherwise the errors of the requests.
    func read(_ discovery: ServerDiscovery) async throws(SessionError) -> KeySetReport {
        switch self {
        case .issuer(let issuer): try await Self.keys(of: issuer, discovery)
        case .keySet(let url): KeySetReport(url: url, response: try await discovery.keySet(at: url))
        case .either(let url): try await Self.keys(at: url, discovery)
        }
    }

    private static func keys(of issuer: String, _ discovery: ServerDiscovery) async throws(SessionError) -> KeySetReport {
        let metadata = try await discovery.metadata(of: issuer, needing: [.jwks])
        guard let url = metadata.endpoints.jwks else {
            throw SessionError(.misconfigured, "the metadata of \(displayable(metadata.issuer, limit: 200)) names no key set (jwks_uri)")
        }
        return KeySetReport(url: url, issuer: metadata.issuer, response: try await discovery.keySet(at: url))
    }

    private static func keys(at url: String, _ discovery: ServerDiscovery) async throws(SessionError) -> KeySetReport {
        let first: SessionError
        do throws(SessionError) {
            return try await KeySetSource.keySet(url: url).read(discovery)
        } catch {
            guard error.code == .serverMisbehaved, !url.contains("?") else { throw error }
            first = error
        }
        do throws(SessionError) {
            return try await keys(of: url, discovery)
        } catch {
            guard error.code == .misconfigured else { throw error }
            throw SessionError(
                .misconfigured, "the URL is neither a key set nor an issuer: \(Self.problem(of: first)), and \(Self.problem(of: error))")
        }
    }

    /// Returns what is wrong, without the advice behind the semicolon, which does not apply if two problems are reported together.
    private static func problem(of error: SessionError) -> String { String(error.explanation.prefix { $0 != ";" }) }
}

extension Failure {
    /// Creates a failure from an error of a request for keys.
    ///
    /// - Parameter command: The command that sends the request, as typed.
    init(keys error: SessionError, command: String) {
        switch error.code {
        case .securityCheckFailed:
            self.init(
                "security_check_failed", .securityCheckFailed, error.explanation,
                hint: "compare the URL character by character with the one in the server's documentation")
        case .misconfigured:
            self.init("misconfigured", .failed, error.explanation, hint: "authhub discover ISSUER shows what the server publishes")
        default: self.init(error, login: command)
        }
    }
}
