import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

/// The public information about a registered client, without its secrets.
struct RegistrationReport: Sendable {
    let key: RegistrationKey
    let registration: ClientRegistration
    private let redaction: Redaction

    /// Creates a report.
    ///
    /// - Parameter secrets: Additional secrets of the requests, which the server may repeat.
    init(_ key: RegistrationKey, _ registration: ClientRegistration, secrets: [Secret<String>] = []) {
        self.key = key
        self.registration = registration
        redaction = Redaction((secrets + registration.secrets).map { $0.reveal() })
    }

    /// The client ID without control characters and secrets.
    var clientID: String { shown(registration.clientID) }

    private func shown(_ text: String) -> String { escaped(redaction.appliedIgnoringInvisible(text), limit: 200) }

    var json: JSONValue {
        var object = JSONObject()
        object["issuer"] = .string(key.issuer)
        object["resource"] = key.resource.map(JSONValue.string) ?? .null
        object["client_id"] = .string(registration.clientID)
        object["has_secret"] = .bool(registration.clientSecret != nil)
        object["secret_expires_at"] = registration.clientSecretExpiresAt.map { .string($0.formatted(.iso8601)) } ?? .null
        object["manageable"] = .bool(registration.isManageable)
        object["metadata"] = .object(registration.metadata.members)
        object["altered"] = .array(
            registration.differences.map { difference in
                [
                    "name": .string(difference.name), "requested": difference.requested ?? .null,
                    "registered": difference.registered ?? .null,
                ]
            })
        return redaction.applied(to: .object(object))
    }

    func text(_ style: Style) -> String {
        let redirects = (registration.metadata.redirectURIs ?? []).map(shown).joined(separator: " ")
        return style.facts(
            [
                ("client", clientID), ("issuer", key.issuer), ("resource", key.resource ?? ""),
                ("name", shown(registration.metadata.clientName ?? "none")),
                ("redirects", redirects),
                ("secret", secret),
                (
                    "managed",
                    registration.isManageable
                        ? "with this tool: authhub client show, authhub client delete" : "only at the server, not with this tool"
                ),
            ].filter { !$0.1.isEmpty })
    }

    private var secret: String {
        guard registration.clientSecret != nil else { return "none" }
        if registration.lacksSecretExpiry { return "in the store; the server does not say when it expires" }
        return registration.clientSecretExpiresAt.map { "in the store; expires \(Words.expiry($0, now: Date()))" } ?? "in the store"
    }

    func warn(on console: Console) {
        guard console.format == .text else { return }
        for difference in registration.differences {
            let registered = difference.registered.map { redaction.applied(to: $0) }.map {
                String(decoding: $0.serialized(), as: UTF8.self)
            }
            console.warn(
                "the server registered a different \(difference.name) than requested: \(displayable(registered ?? "nothing", limit: 300))")
        }
        for irregularity in registration.irregularities { console.warn(irregularity) }
        if registration.lacksSecretExpiry {
            console.warn("the server does not say when the client secret expires, so it is used as one that never does")
        }
        if let problem = registration.clientURIProblem {
            console.warn(
                "the registration URL that the server returned is not used, because \(redaction.displaying(problem, limit: 300))")
        }
    }
}
