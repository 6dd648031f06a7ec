import AuthHub
import AuthHubPrimitives
import JOSE
import OAuthProtocol

extension DiscoveryReport {
    func text(_ metadata: ServerMetadata, _ style: Style) -> String {
        var lines = [style(Self.shown(metadata.issuer), .bold)]
        var rows: [(String, String)] = []
        if let resource {
            rows.append(("resource", [Self.shown(resource.resource), resource.name].compactMap { $0 }.joined(separator: "  ")))
            let servers = resource.authorizationServers.map(\.text)
            if servers.count > 1 { rows.append(("it names", Self.line(servers))) }
        }
        rows += [
            ("grants", metadata.grantTypes.map(Self.line) ?? "authorization_code, implicit (by default)"),
            ("PKCE", metadata.codeChallengeMethods.map(Self.line) ?? "not stated"),
            ("client auth", metadata.tokenEndpointAuthenticationMethods.map(Self.line) ?? "client_secret_basic (by default)"),
            ("scopes", metadata.scopes.map(Self.line) ?? "not stated"),
            ("iss parameter", metadata.promisesIssuerInResponse ? "in each authorization response (RFC 9207)" : "not announced"),
        ]
        if let algorithms = metadata.idTokenAlgorithms { rows.append(("ID tokens", Self.line(algorithms))) }
        if case .success(let report)? = keys { rows.append(("keys", Self.shown(report.summary))) }
        if metadata.requiresPushedAuthorizationRequests { rows.append(("pushed requests", "required")) }
        lines += rows.map { name, value in "  \(style(name.padded(to: 15), .cyan)) \(value)" }
        lines.append("")
        lines += Endpoints.Name.allCases.compactMap { name in
            metadata.endpoints[name].map { "  \(style(name.rawValue.padded(to: 37), .cyan)) \(Self.shown($0))" }
        }
        lines.append("")
        lines += answers.map { "  \(style(Self.word(of: $0).padded(to: 15), .cyan)) \($0.address)" }
        return lines.joined(separator: "\n")
    }

    func json(_ metadata: ServerMetadata) -> JSONValue {
        var endpoints = JSONObject()
        for name in Endpoints.Name.allCases { endpoints[name.rawValue] = metadata.endpoints[name].map { .string($0) } }
        return [
            "issuer": .string(metadata.issuer),
            "resource": resource.map(Self.json) ?? .null,
            "forms": .array(answers.map(Self.json)),
            "grant_types": Self.json(metadata.grantTypes),
            "response_types": Self.json(metadata.responseTypes),
            "response_modes": Self.json(metadata.responseModes),
            "code_challenge_methods": Self.json(metadata.codeChallengeMethods),
            "client_authentication": Self.json(metadata.tokenEndpointAuthenticationMethods),
            "scopes": Self.json(metadata.scopes),
            "id_token_algorithms": Self.json(metadata.idTokenAlgorithms),
            "keys": keySet.map { .array($0.keys.map(\.json)) } ?? .null,
            "rejected_keys": keySet.map { .array($0.rejected.map(\.json)) } ?? .null,
            "names_issuer_in_responses": .bool(metadata.promisesIssuerInResponse),
            "requires_pushed_requests": .bool(metadata.requiresPushedAuthorizationRequests),
            "endpoints": .object(endpoints),
            "warnings": .array(warnings(metadata).map { .string($0) }),
            "metadata": .object(metadata.members),
        ]
    }

    private var keySet: JSONWebKeySet? { (try? keys?.get())?.keys }

    private static func json(_ list: [String]?) -> JSONValue { list.map { .array($0.map { .string($0) }) } ?? .null }

    private static func json(_ resource: ProtectedResourceMetadata) -> JSONValue {
        [
            "resource": .string(resource.resource),
            "authorization_servers": .array(resource.authorizationServers.map { .string($0.text) }),
            "scopes": json(resource.scopes),
        ]
    }

    private static func json(_ answer: MetadataAnswer) -> JSONValue {
        let status = answer.status.map { JSONValue.number(JSONNumber(Int64($0))) } ?? .null
        return ["address": .string(answer.address), "status": status, "outcome": .string(word(of: answer))]
    }

    private static func word(of answer: MetadataAnswer) -> String {
        switch answer.outcome {
        case .found: "found"
        case .nothing: "nothing"
        case .redirect: "redirect"
        case .failed: "failed"
        }
    }

    private static func shown(_ text: String) -> String { displayable(text, limit: 500) }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
