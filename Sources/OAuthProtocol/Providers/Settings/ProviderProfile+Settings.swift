package import AuthHubPrimitives

extension ProviderProfile {
    /// Creates a profile from a settings file: a JSON object with `name`, the issuer or the endpoints, and the quirks of the provider.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - file: The name of the file to use in errors.
    ///   - transport: The policy for the URLs in the file; by default, only https is allowed.
    /// - Throws: ``SettingsError`` with the field if the bytes are not strict JSON; if a member is missing, unknown or of the wrong type;
    ///   if the policy does not allow a URL; if a string contains invisible characters; if a header field is one that the client or the
    ///   connection sets; if a parameter would collide with another or weaken a protection; or if the file contains a secret.
    public init(settings bytes: [UInt8], file: String, transport: TransportPolicy = .httpsOnly) throws(SettingsError) {
        try self.init(members: try SettingsError.members(of: bytes, file: file), file: file, within: nil, transport: transport)
    }

    /// The profile as ``init(settings:file:transport:)`` reads it, without members that have their default.
    package var settings: JSONValue {
        var object = JSONObject()
        for field in ProfileField.all {
            guard let value = field.write(self) else { continue }
            let parts = field.name.split(separator: ".").map(String.init)
            if parts.count == 2 {
                var inner = object[parts[0]]?.object ?? JSONObject()
                inner[parts[1]] = value
                object[parts[0]] = .object(inner)
            } else {
                object[field.name] = value
            }
        }
        return .object(object)
    }

    init(members: JSONObject, file: String, within parent: String?, transport: TransportPolicy) throws(SettingsError) {
        func failure(_ name: String?, _ problem: String) -> SettingsError {
            SettingsError(file: file, field: [parent, name].compactMap { $0 }.joined(separator: "."), problem: problem)
        }
        self.init(name: "", displayName: "")
        self.transport = transport
        try read(members, ProfileField.all, failure)
        guard !name.isEmpty else { throw failure("name", "is missing") }
        guard !name.hasPrefix("."), name.utf8.count <= 100 else {
            throw failure("name", "begins with a dot, or is longer than 100 characters")
        }
        guard name.utf8.allSatisfy({ $0.isUnreserved }) else { throw failure("name", "has characters other than letters, digits, - . _ ~") }
        if displayName.isEmpty { displayName = name }
        guard issuer != nil || endpoints?.token != nil || endpoints?.authorization != nil else {
            throw failure("token_endpoint", "is missing, and so is “issuer”; one of them is required")
        }
        accountEndpoint = accountEndpoint ?? endpoints?.userInfo
        try checkAddresses(failure)
        try checkQuirks(failure)
    }

    /// Sets the fields that the members name; a field may be in an object of its group.
    mutating func read(
        _ members: JSONObject, _ fields: [ProfileField], _ failure: (String?, String) -> SettingsError
    ) throws(SettingsError) {
        let groups = Set(fields.compactMap { $0.name.contains(".") ? String($0.name.prefix { $0 != "." }) : nil })
        for member in members.members {
            guard groups.contains(member.name) else {
                try read(member, as: member.name, fields, failure)
                continue
            }
            guard let inner = member.value.object else { throw failure(member.name, "is not an object") }
            for innerMember in inner.members { try read(innerMember, as: "\(member.name).\(innerMember.name)", fields, failure) }
        }
    }

    private mutating func read(
        _ member: JSONObject.Member, as name: String, _ fields: [ProfileField], _ failure: (String?, String) -> SettingsError
    ) throws(SettingsError) {
        guard let field = fields.first(where: { $0.name == name }) else { throw failure(name, "is not a known member") }
        guard member.value.isShowable else { throw failure(name, "has invisible characters") }
        guard field.read(member.value, &self) else { throw failure(name, "is not \(field.expected)") }
    }

    private func checkAddresses(_ failure: (String?, String) -> SettingsError) throws(SettingsError) {
        var addresses: [(String, String?)] = [("issuer", issuer), ("account_endpoint", accountEndpoint), ("base_url", baseURL)]
        for name in Endpoints.Name.allCases { addresses.append((name.rawValue, endpoints?[name])) }
        switch revocation {
        case .none, .standard: break
        case .gitHub(let address), .authorizedByToken(_, let address): addresses.append(("revocation", address))
        }
        for case (let name, let address?) in addresses where !transport.allows(address) {
            throw failure(name, "must be an https URL without user information or fragment")
        }
    }
}
