import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// What was found out about a server: for people, for programs, and what is worth a warning.
struct DiscoveryReport {
    let issuer: String
    let resource: ProtectedResourceMetadata?
    /// What was asked for, which may be a part of the resource.
    let requestedResource: String?
    let answers: [MetadataAnswer]

    /// What a login would use: of the first address that does not answer that there is nothing.
    func metadata() throws(SessionError) -> ServerMetadata {
        for answer in answers {
            switch answer.outcome {
            case .nothing: continue
            case .found(let metadata): return metadata
            case .failed(let error): throw error
            case .redirect(let target):
                let place = target.map { " to \($0)" } ?? ""
                throw SessionError(.serverMisbehaved, "\(answer.address) redirects\(place), which is not followed (RFC 8414 §3.2)")
            }
        }
        let places = answers.map(\.address).joined(separator: ", ")
        throw SessionError(.misconfigured, "\(issuer) publishes no metadata: nothing is at \(places)")
    }

    /// What to know before this server is used.
    func warnings(_ metadata: ServerMetadata) -> [String] {
        var warnings: [String] = []
        if Origin(url: issuer)?.scheme == "http" {
            warnings.append("the server speaks http: everyone on this machine can read along")
        }
        if !metadata.issuer.hasSameBytes(as: issuer) {
            warnings.append("the server calls itself \(metadata.issuer): use that, to the letter")
        }
        switch metadata.codeChallengeMethods {
        case nil: warnings.append("the server does not say that it knows PKCE; login uses it with S256 all the same")
        case let methods? where !methods.contains("S256"):
            warnings.append("the server does not know PKCE with S256 (it lists \(Self.line(methods))): login will refuse")
        default: break
        }
        let needed: [Endpoints.Name] = [.authorization, .token]
        for name in needed where metadata.endpoints[name] == nil {
            warnings.append("there is no usable \(name.rawValue): sign-ins that need it will fail")
        }
        if let resource, let requestedResource, !resource.resource.hasSameBytes(as: requestedResource) {
            warnings.append("the resource calls itself \(displayable(resource.resource, limit: 200))")
        }
        warnings += answers.compactMap { warning(of: $0, beside: metadata) }
        return (warnings + (metadata.diagnostics + (resource?.diagnostics ?? [])).map(\.description)).map { displayable($0, limit: 1000) }
    }

    private func warning(of answer: MetadataAnswer, beside metadata: ServerMetadata) -> String? {
        switch answer.outcome {
        case .nothing: nil
        case .redirect(let target): "\(answer.address) redirects\(target.map { " to \($0)" } ?? "")"
        case .failed(let error): "\(answer.address) is of no use: \(error.explanation)"
        case .found(let other):
            Self.differences(metadata, other).map { "\(answer.address) says something else about \($0)" }
        }
    }

    /// The members in which two documents differ.
    private static func differences(_ one: ServerMetadata, _ other: ServerMetadata) -> String? {
        let names = one.members.members.map(\.name) + other.members.members.map(\.name).filter { one.members[$0] == nil }
        let different = names.filter { one.members[$0] != other.members[$0] }
        return different.isEmpty ? nil : line(different)
    }

    static func line(_ names: [String]) -> String {
        displayable(names.joined(separator: ", "), limit: 500)
    }
}
