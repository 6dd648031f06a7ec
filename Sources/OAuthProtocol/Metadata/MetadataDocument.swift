import AuthHubPrimitives
import HTTPTypes

/// The members of a metadata document, with diagnostics for those that do not have their registered type.
struct MetadataDocument {
    /// The type of a registered member (RFC 8414 §7.1, RFC 9728 §8.1).
    enum Kind: Sendable {
        case endpoint, text, texts, algorithms, flag, object, signedMetadata
    }

    let members: JSONObject
    let diagnostics: [MetadataDiagnostic]

    /// - Parameter name: The name of the document, for errors: `the metadata document`.
    /// - Throws: ``OAuthError`` with `.serverRejected` for a status of 5xx or 429, `.invalidResponse` for another than 200, more than
    ///   ``ServerMetadata/sizeLimit``, or a body that is not one strict JSON object.
    init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, called name: String, kinds: [String: Kind], transport: TransportPolicy
    ) throws(OAuthError) {
        if head.status.kind == .redirection {
            let target = head.headerFields[.location].flatMap(Origin.init(url:))
            throw OAuthError(
                .invalidResponse,
                "the response for \(name) is a redirect (\(head.status.code))\(target.map { " to \($0)" } ?? ""), which was not followed")
        }
        if let error = OAuthError.unavailable(head, name) { throw error }
        guard head.status == .ok else {
            throw OAuthError(.invalidResponse, "the response for \(name) has status \(head.status.code)")
        }
        let bytes = body.reveal()
        guard bytes.count <= ServerMetadata.sizeLimit else {
            throw OAuthError(.invalidResponse, "\(name) is larger than \(ServerMetadata.sizeLimit / 1024) KiB")
        }
        members = try JSONObject(bytes, of: name)
        diagnostics = members.members.compactMap { member in
            guard let kind = kinds[member.name], let reason = kind.fault(of: member.value, transport: transport) else { return nil }
            return MetadataDiagnostic(member.name, reason)
        }
    }
}

extension MetadataDocument.Kind {
    /// Returns why a value is not used as it is. null counts as absent, without a diagnostic.
    func fault(of value: JSONValue, transport: TransportPolicy) -> MetadataDiagnostic.Reason? {
        if case .null = value { return nil }
        switch self {
        case .signedMetadata: return .notVerified
        case .endpoint:
            guard let text = value.string else { return .wrongType(expected: "a string") }
            return transport.allows(text) ? nil : .unusableURL
        case .text: return value.string == nil ? .wrongType(expected: "a string") : nil
        case .flag: return value.bool == nil ? .wrongType(expected: "true or false") : nil
        case .object: return value.object == nil ? .wrongType(expected: "an object") : nil
        case .texts, .algorithms:
            guard let texts = value.texts, let array = value.array else { return .wrongType(expected: "an array of strings") }
            if case .algorithms = self, texts.contains("none") { return .unsignedIsNeverAccepted }
            return texts.count < array.count ? .partlyWrongType : nil
        }
    }
}

extension JSONValue {
    /// The strings of a list; nil if the value is not a list, or has only other values.
    var texts: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.string)
        return texts.isEmpty && !array.isEmpty ? nil : texts
    }
}
