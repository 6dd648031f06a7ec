import AuthHubPrimitives
import HTTPTypes
import Platform

extension BackChannelRequest {
    /// Removes the secrets of this request from its response: some servers repeat the request.
    var redaction: Redaction { redaction(and: []) }

    /// Removes the secrets of this request and those that its response issues.
    func redaction(andIssuedIn members: JSONObject, _ quirks: ProviderQuirks.ResponseQuirks) -> Redaction {
        let inner = quirks.innerMembers(of: members)
        let tokens = [quirks.accessToken, quirks.refreshToken].map { inner[$0] }
        return redaction(and: (tokens + Self.issuedNames.map { members[$0] }).compactMap { $0?.displayString })
    }

    private static let issuedNames = [
        "access_token", "refresh_token", "id_token", "device_code", "client_secret", "registration_access_token",
    ]

    private func redaction(and secrets: [String]) -> Redaction {
        let sent = credentials + parameters.filter { !Self.isPublic($0.name) }.map(\.value)
        return Redaction(sent + (relatedSecrets + sentAssertions).map { $0.reveal() } + secrets)
    }

    /// The credentials in the `Authorization` field: the token, or the secret in every form that a server may repeat.
    private var credentials: [String] {
        guard let field = head.headerFields[.authorization] else { return [] }
        let value = field.drop { $0 != " " }.drop { $0 == " " }
        guard field.lowercased().hasPrefix("basic "), let decoded = Data(base64Encoded: String(value)) else { return [String(value)] }
        let secret = String(decoding: decoded.drop { $0 != UInt8(ascii: ":") }.dropFirst(), as: UTF8.self)
        let parsed = (try? FormParameters(decoding: "secret=" + secret))?["secret"]
        return [String(value), String(value.prefix { $0 != "=" }), secret, parsed ?? ""]
    }

    private var parameters: [FormParameters.Parameter] {
        let bytes = body.reveal()
        guard head.headerFields[.contentType] == "application/json" else {
            return (try? FormParameters(decoding: String(decoding: bytes, as: UTF8.self)))?.parameters ?? []
        }
        return JSONObject(salvaging: bytes).members.compactMap { member in
            member.value.displayString.map { FormParameters.Parameter(name: member.name, value: $0) }
        }
    }

    /// Whether a parameter may be shown. An unknown parameter counts as a secret.
    private static func isPublic(_ name: String) -> Bool {
        publicNames.contains(name) || publicSuffixes.contains { name.hasSuffix($0) }
    }

    private static let publicNames: Set<String> = [
        "client_id", "scope", "resource", "audience", "token_type_hint", "code_challenge_method", "response_mode", "prompt", "display",
        "max_age", "ui_locales", "acr_values", "software_id", "software_version",
    ]
    private static let publicSuffixes = ["_type", "_uri", "_method", "_name", "_alg", "_enc"]
}
