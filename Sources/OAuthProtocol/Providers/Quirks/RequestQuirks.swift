package import AuthHubPrimitives
import HTTPTypes

extension ProviderQuirks {
    /// How requests to the provider's back-channel endpoints are created.
    package struct RequestQuirks: Sendable, Hashable {
        /// The encoding of a body.
        package enum Encoding: String, Sendable, Hashable, CaseIterable {
            case form, json
        }

        /// The purpose of a request.
        package enum Kind: String, Sendable, Hashable, CaseIterable {
            case codeExchange = "code_exchange"
            case refresh
            case revocation
            case deviceAuthorization = "device_authorization"
        }

        /// How a client without a secret identifies itself.
        package enum ClientWithoutSecret: String, Sendable, Hashable, CaseIterable {
            /// By `client_id` in the body (RFC 6749 §3.2.1).
            case clientIDInTheBody = "client_id_in_the_body"
            /// By HTTP Basic with an empty password.
            case basicWithEmptyPassword = "basic_with_empty_password"
        }

        /// The encoding of bodies.
        package var encoding = Encoding.form
        /// The provider's names of parameters by their standard names, in authorization requests, too.
        package var names: [String: String] = [:]
        /// Additional parameters by the purpose of the request.
        package var parameters: [Kind: FormParameters] = [:]
        /// The value of the `Accept` field.
        package var accept = "application/json"
        /// Additional header fields by name. `{client_id}` in a value is replaced with the client ID.
        package var headers: [String: String] = [:]
        /// nil if ``ProviderProfile/clientAuthentication`` applies to clients without a secret, too.
        package var clientWithoutSecret: ClientWithoutSecret?
        /// Whether a client without a secret may use the device grant and refresh its tokens, although other grants require a secret.
        package var devicesNeedNoClientSecret = false

        /// The audience of the tokens with which clients authenticate.
        package enum AssertionAudience: String, Sendable, Hashable, CaseIterable {
            case issuer
            case tokenEndpoint = "token_endpoint"
        }

        /// The audience that the provider expects if a client authenticates with a signed token. With the issuer, the token is useless
        /// at any other server.
        package var assertionAudience = AssertionAudience.issuer
        /// Whether the provider rejects the `typ` of such a token.
        package var omitsAssertionType = false

        package init() {}
    }
}

extension ProviderQuirks.RequestQuirks {
    func renamed(_ parameters: FormParameters) -> FormParameters {
        guard !names.isEmpty else { return parameters }
        return FormParameters(parameters.parameters.map { .init(name: names[$0.name] ?? $0.name, value: $0.value) })
    }

    /// Adds the provider's parameters for this kind of request. Parameters that are already present are left unchanged.
    func complete(_ parameters: inout FormParameters, for kind: Kind) {
        for parameter in self.parameters[kind]?.parameters ?? [] where parameters[parameter.name] == nil {
            parameters.append(parameter.name, parameter.value)
        }
    }

    /// Returns the body with the parameters, and sets the header fields that belong to it.
    func body(of parameters: FormParameters, from clientID: String, in head: inout HTTPRequest) -> [UInt8] {
        if accept != "application/json" { head.headerFields[.accept] = accept }
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { head.headerFields[name] = value.replacing("{client_id}", with: clientID) }
        }
        let parameters = renamed(parameters)
        switch encoding {
        case .form:
            return Array(parameters.encoded().utf8)
        case .json:
            head.headerFields[.contentType] = "application/json"
            var object = JSONObject()
            for parameter in parameters.parameters {
                // A parameter that a form repeats, such as `resource` (RFC 8707 §2), becomes a list in JSON.
                switch object[parameter.name] {
                case nil: object[parameter.name] = .string(parameter.value)
                case .array(let values)?: object[parameter.name] = .array(values + [.string(parameter.value)])
                case let first?: object[parameter.name] = .array([first, .string(parameter.value)])
                }
            }
            return JSONValue.object(object).serialized()
        }
    }
}
