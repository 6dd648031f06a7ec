import AuthHubPrimitives
import HTTPTypes

/// The endpoint that names the provider of an account (OpenID Connect Discovery 1.0 §2, RFC 7033 §4). It accepts any host name.
struct WebFingerEndpoint: Sendable {
    private static let relation = "http://openid.net/specs/connect/1.0/issuer"

    let state: ServerState

    func respond(to request: IncomingRequest) -> Answer {
        guard let parameters = request.queryParameters, parameters.values(named: "resource").count == 1,
            let resource = parameters["resource"]
        else { return .json(["error": "invalid_request"], status: .badRequest) }
        guard let login = Self.login(in: resource), state.configuration.users.contains(where: { $0.login == login }) else {
            return .notFound("The resource is unknown.")
        }
        let relations = parameters.values(named: "rel")
        let isRequested = relations.isEmpty || relations.contains(Self.relation)
        let link: JSONValue = ["rel": .string(Self.relation), "href": .string(state.issuer)]
        var answer = Answer.json(["subject": .string(resource), "links": .array(isRequested ? [link] : [])])
        answer.headers[.contentType] = "application/jrd+json"
        return answer
    }

    /// Returns the user name in `acct:NAME@HOST` or `https://HOST/NAME`.
    private static func login(in resource: String) -> String? {
        if resource.hasPrefix("acct:") { return resource.dropFirst(5).split(separator: "@").first.map(String.init) }
        return Origin(url: resource) == nil ? nil : resource.split(separator: "/").dropFirst(2).first.map(String.init)
    }
}
