public import AuthHubPrimitives
import HTTPTypes

extension ProviderQuirks {
    /// How requests to the provider's endpoints for machines are made.
    public struct RequestQuirks: Sendable, Hashable {
        /// What a body is written in.
        public enum Encoding: String, Sendable, Hashable, CaseIterable {
            case form, json
        }

        /// What a request is for.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            case codeExchange = "code_exchange"
            case refresh
            case revocation
            case deviceAuthorization = "device_authorization"
        }

        /// How a client without a secret names itself.
        public enum ClientWithoutSecret: String, Sendable, Hashable, CaseIterable {
            /// By `client_id` in the body (RFC 6749 §3.2.1).
            case clientIDInTheBody = "client_id_in_the_body"
            /// By HTTP Basic with an empty password.
            case basicWithEmptyPassword = "basic_with_empty_password"
        }

        /// What bodies are written in here.
        public var encoding = Encoding.form
        /// What parameters are called here, by their standard names; those of authorization requests, too.
        public var names: [String: String] = [:]
        /// More parameters by the kind of request.
        public var parameters: [Kind: FormParameters] = [:]
        /// What the `Accept` field asks for.
        public var accept = "application/json"
        /// More header fields, by name; `{client_id}` in a value stands for the client's id.
        public var headers: [String: String] = [:]
        /// nil where the provider demands a secret, as far as ``ProviderProfile/clientAuthentication`` says so.
        public var clientWithoutSecret: ClientWithoutSecret?
        /// Whether a client without a secret may sign in by device, and renew what it got, where other ways demand one.
        public var devicesNeedNoClientSecret = false

        public init() {}
    }
}

extension ProviderQuirks.RequestQuirks {
    func renamed(_ parameters: FormParameters) -> FormParameters {
        guard !names.isEmpty else { return parameters }
        return FormParameters(parameters.parameters.map { .init(name: names[$0.name] ?? $0.name, value: $0.value) })
    }

    /// Adds what the provider asks for with this kind of request; what is there already stays.
    func complete(_ parameters: inout FormParameters, for kind: Kind) {
        for parameter in self.parameters[kind]?.parameters ?? [] where parameters[parameter.name] == nil {
            parameters.append(parameter.name, parameter.value)
        }
    }

    /// The parameters as the body of a message, and the header fields that belong to it.
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
                // What a form repeats, such as `resource` (RFC 8707 §2), is a list in JSON: none of it may get lost.
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
