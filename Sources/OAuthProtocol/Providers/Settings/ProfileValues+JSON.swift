import AuthHubPrimitives

extension ProviderQuirks.AuthorizationQuirks.CodeChallenge {
    private static let reasonName = "without_because_the_provider_refuses_it"

    var json: JSONValue {
        switch self {
        case .s256: "s256"
        case .s256InHexadecimal: "s256_in_hexadecimal"
        case .withoutCodeChallengeBecauseTheProviderRejectsIt(let reason): [Self.reasonName: .string(reason)]
        }
    }

    init?(json: JSONValue) {
        switch json {
        case "s256": self = .s256
        case "s256_in_hexadecimal": self = .s256InHexadecimal
        default:
            guard json.object?.members.count == 1, let reason = json[Self.reasonName]?.nonEmptyText else { return nil }
            self = .withoutCodeChallengeBecauseTheProviderRejectsIt(reason: reason)
        }
    }
}

extension ProviderQuirks.ErrorFormat {
    var json: JSONValue {
        var object = JSONObject()
        object["sign"] = .string(sign.description)
        object["value"] = value
        if needsFailureStatus { object["needs_failure_status"] = true }
        object["code"] = .string(code.description)
        object["explanation"] = explanation.map { .string($0.description) }
        return .object(object)
    }

    init?(json: JSONValue) {
        guard let object = json.object,
            object.members.allSatisfy({ ["sign", "value", "needs_failure_status", "code", "explanation"].contains($0.name) }),
            let sign = object["sign"]?.string.flatMap({ MemberPath($0) }), let code = object["code"]?.string.flatMap({ MemberPath($0) })
        else { return nil }
        self.init(sign: sign, value: object["value"], code: code)
        if let value = object["needs_failure_status"] {
            guard let flag = value.bool else { return nil }
            needsFailureStatus = flag
        }
        if let value = object["explanation"] {
            guard let path = value.string.flatMap({ MemberPath($0) }) else { return nil }
            explanation = path
        }
    }
}

extension RevocationStyle {
    var json: JSONValue {
        switch self {
        case .none: ["style": "none"]
        case .standard: ["style": "standard"]
        case .gitHub(let applications): ["style": "github", "url": .string(applications)]
        case .authorizedByToken(let method, let address):
            ["style": "authorized_by_token", "url": .string(address), "method": .string(method)]
        }
    }

    init?(json: JSONValue) {
        guard let object = json.object, object.members.allSatisfy({ ["style", "url", "method"].contains($0.name) }) else { return nil }
        switch (object["style"]?.string, object["url"]?.nonEmptyText, object["method"]?.nonEmptyText) {
        case ("none", nil, nil): self = .none
        case ("standard", nil, nil): self = .standard
        case ("github", let address?, nil): self = .gitHub(applications: address)
        case ("authorized_by_token", let address?, let method?): self = .authorizedByToken(method: method, url: address)
        default: return nil
        }
    }
}
