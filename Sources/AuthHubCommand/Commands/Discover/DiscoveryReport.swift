import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The result of a discovery: human-readable, machine-readable, and with warnings.
struct DiscoveryReport {
    let issuer: String
    let resource: ProtectedResourceMetadata?
    /// The requested URL, which may be a part of the resource.
    let requestedResource: String?
    let answers: [MetadataAnswer]
    /// The server's keys, or why they cannot be read; nil if the metadata names no key set.
    var keys: Result<KeySetReport, SessionError>?

    /// Returns the metadata that commands use: the first document, completed by the others.
    func metadata() throws(SessionError) -> ServerMetadata {
        var metadata: ServerMetadata?
        for answer in answers {
            switch answer.outcome {
            case .nothing, .redirect: continue
            case .found(let found): metadata = metadata?.completed(by: found) ?? found
            case .failed(let error) where metadata == nil: throw error
            case .failed: continue
            }
        }
        if let metadata { return metadata }
        let places = answers.map { answer in answer.address + (answer.words.map { ": \($0)" } ?? "") }.joined(separator: ", ")
        throw SessionError(.misconfigured, "\(issuer) publishes no metadata (\(places))")
    }

    /// Returns warnings about this server.
    func warnings(_ metadata: ServerMetadata) -> [String] {
        var warnings: [String] = []
        if Origin(url: issuer)?.scheme == "http" {
            warnings.append("the server uses http; every program on this machine that can capture traffic can read the messages")
        }
        if !metadata.issuer.hasSameBytes(as: issuer) {
            warnings.append("the server's issuer is \(metadata.issuer); use exactly this URL")
        }
        switch metadata.codeChallengeMethods {
        case nil: warnings.append("the metadata does not say that the server supports PKCE; login uses it with S256 anyway")
        case let methods? where !methods.contains("S256"):
            warnings.append("the server does not support PKCE with S256 (it lists \(Self.line(methods))); login will fail")
        default: break
        }
        let needed: [Endpoints.Name] = [.authorization, .token]
        for name in needed where metadata.endpoints[name] == nil {
            warnings.append("there is no usable \(name.rawValue); sign-ins that need it will fail")
        }
        if let resource, let requestedResource, !resource.resource.hasSameBytes(as: requestedResource) {
            warnings.append("the resource's identifier is \(displayable(resource.resource, limit: 200))")
        }
        if let split = splitEndpoints(metadata) { warnings.append(split) }
        switch keys {
        case nil: break
        case .success(let report)?: warnings += report.warnings
        case .failure(let error)?: warnings.append("ID tokens cannot be verified, because the keys cannot be read: \(error.explanation)")
        }
        warnings += answers.compactMap(warning(of:))
        return (warnings + (metadata.diagnostics + (resource?.diagnostics ?? [])).map(\.description)).map { displayable($0, limit: 1000) }
    }

    private func warning(of answer: MetadataAnswer) -> String? {
        switch answer.outcome {
        case .nothing, .found: nil
        case .redirect(let target): "\(answer.address) redirects\(target.map { " to \($0)" } ?? "")"
        case .failed(let error): "\(answer.address) cannot be used: \(error.explanation)"
        }
    }

    /// Returns a warning about metadata with which a malicious server could receive the codes of another (RFC 9700 §4.4).
    private func splitEndpoints(_ metadata: ServerMetadata) -> String? {
        guard !metadata.promisesIssuerInResponse, let authorization = metadata.endpoints.authorization.flatMap(Origin.init(url:)),
            let token = metadata.endpoints.token.flatMap(Origin.init(url:)), authorization != token
        else { return nil }
        return "the browser is sent to \(authorization) but codes are sent to \(token), and responses do not name their issuer; "
            + "login fails unless you set an endpoint or this tool has registered the client (RFC 9700 §4.4)"
    }

    static func line(_ names: [String]) -> String {
        displayable(names.joined(separator: ", "), limit: 500)
    }
}
