import AuthHubPrimitives
import HTTPTypes

/// Rules that a profile from a file must obey, even if each member has the right type: the author of the file may be an attacker.
extension ProviderProfile {
    /// The parameters that protect the sign-in. Under another name, or twice, they would silently protect nothing.
    private static let keptNames: Set<String> = ["code_challenge", "code_challenge_method", "code_verifier", "state", "nonce"]
    /// The parameters that requests set themselves.
    private static let standardNames = keptNames.union([
        "client_id", "client_secret", "code", "grant_type", "redirect_uri", "refresh_token", "response_mode", "response_type", "scope",
        "token", "token_type_hint", "device_code", "resource", "authorization_details",
    ])
    /// The parameters of authorization responses.
    private static let responseNames: Set<String> = [
        "code", "state", "iss", "error", "error_description", "error_uri", "response", "access_token", "id_token", "token_type",
        "expires_in", "scope", "session_state",
    ]
    /// The secrets, which belong in a separate file.
    private static let secretNames: Set<String> = ["client_secret", "client_assertion"]
    /// The header fields that the client or the connection sets.
    private static let ownFields: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "host", "content-length", "content-type", "transfer-encoding", "connection",
        "upgrade", "te", "trailer", "expect",
    ]

    func checkQuirks(_ failure: (String?, String) -> SettingsError) throws(SettingsError) {
        let requests = quirks.requests
        for (field, headers) in [("requests.headers", requests.headers), ("api_headers", quirks.api.headers)] {
            for name in headers.keys where HTTPField.Name(name) == nil || Self.ownFields.contains(name.lowercased()) {
                throw failure(field, "has a header field that must not be set here: \(name)")
            }
        }
        try checkNames(failure)
        var parameters = [("authorization_parameters", authorizationParameters)]
        for kind in ProviderQuirks.RequestQuirks.Kind.allCases {
            if let extra = requests.parameters[kind] { parameters.append(("requests.parameters_of_\(kind.rawValue)", extra)) }
        }
        for (field, extra) in parameters {
            for parameter in extra.parameters where !Self.secretNames.isDisjoint(with: [parameter.name, requests.sentName(parameter.name)])
            {
                throw failure(field, "must not have \(parameter.name); secrets belong in a separate file and are never sent to a page")
            }
        }
    }

    private func checkNames(_ failure: (String?, String) -> SettingsError) throws(SettingsError) {
        let requests = quirks.requests
        for name in requests.names.keys where Self.keptNames.contains(name) {
            throw failure("requests.names", "must not rename \(name), which protects the sign-in")
        }
        guard Set(requests.names.values).count == requests.names.count else {
            throw failure("requests.names", "gives two parameters the same name")
        }
        let taken = Self.standardNames.subtracting(requests.names.keys)
        for (name, sent) in requests.names where taken.contains(sent) && name != sent {
            throw failure("requests.names", "gives \(name) the name of another parameter: \(sent)")
        }
        let scopeName = quirks.authorization.scopeName
        guard scopeName == "scope" || !Self.standardNames.contains(scopeName) else {
            throw failure("scope_name", "is the name of another parameter")
        }
        if let name = quirks.authorizationResponses.userParameter, Self.responseNames.contains(name) {
            throw failure("user_parameter", "is the name of another parameter")
        }
    }
}

extension ProviderQuirks.RequestQuirks {
    fileprivate func sentName(_ name: String) -> String { names[name] ?? name }
}

extension JSONValue {
    /// Whether all strings can be displayed unchanged: no control characters, and none that reorder or hide other text.
    var isShowable: Bool {
        switch self {
        case .string(let text), .repairedString(let text): text.isShowable
        case .array(let values): values.allSatisfy(\.isShowable)
        case .object(let object): object.members.allSatisfy { $0.name.isShowable && $0.value.isShowable }
        default: true
        }
    }
}

extension String {
    var isShowable: Bool { displayable(self, limit: unicodeScalars.count).hasSameBytes(as: self) }
}
