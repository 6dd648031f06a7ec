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

    /// The value of the member that says what the document describes.
    let subject: String

    /// - Parameters:
    ///   - name: The name of the document, for errors: `the metadata document`.
    ///   - url: The URL of the document, for errors; nil if it was not requested.
    ///   - subject: The member that says what the document describes. Without it, the response is not a metadata document.
    /// - Throws: ``OAuthError`` with `.serverRejected` for a status of 5xx or 429, `.invalidResponse` for more than
    ///   ``ServerMetadata/sizeLimit`` or a JSON object that is not strict, and for a response that is not a metadata document at all. Then
    ///   the underlying error is ``NoMetadataDocument``.
    init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, called name: String, at url: String?, about subject: String, kinds: [String: Kind],
        transport: TransportPolicy
    ) throws(OAuthError) {
        let name = name + (url.map { " at \(displayable($0, limit: 300))" } ?? "")
        let status = head.status.code
        if head.status.kind == .redirection {
            let target = head.headerFields[.location].flatMap(Origin.init(url:)).map { " to \($0)" } ?? ""
            throw OAuthError(
                .invalidResponse, "the response for \(name) is a redirect (\(status))\(target), which was not followed",
                underlying: NoMetadataDocument(answer: "\(status), a redirect\(target)"))
        }
        if let error = OAuthError.unavailable(head, name) { throw error }
        guard head.status == .ok else {
            throw OAuthError(
                .invalidResponse, "the response for \(name) has status \(status)", underlying: NoMetadataDocument(answer: "\(status)"))
        }
        let bytes = body.reveal()
        guard JSONObject.begins(bytes[...]) else {
            // A web page, or something else that no one meant as metadata.
            let kind = head.headerFields.mediaType == "text/html" ? "a web page" : "not a JSON object"
            throw OAuthError(
                .invalidResponse, "\(name) is \(kind)", underlying: NoMetadataDocument(answer: "\(status), \(kind)"))
        }
        guard bytes.count <= ServerMetadata.sizeLimit else {
            throw OAuthError(.invalidResponse, "\(name) is larger than \(ServerMetadata.sizeLimit / 1024) KiB")
        }
        members = try JSONObject(bytes, of: name)
        guard let text = members[subject]?.string, !text.isEmpty else {
            throw OAuthError(
                .invalidResponse, "\(name) names no \(subject)",
                underlying: NoMetadataDocument(answer: "\(status), JSON without \(subject)"))
        }
        self.subject = text
        diagnostics = members.members.compactMap { member in
            guard let kind = kinds[member.name], let reason = kind.fault(of: member.value, transport: transport) else { return nil }
            return MetadataDiagnostic(member.name, reason)
        }
    }
}

/// The underlying error of a response that is not a metadata document: a redirect that is not followed, a web page, or JSON that does not
/// say what it describes. Many servers respond in this way at paths that do not exist, so another URL may have the document.
package struct NoMetadataDocument: Error {
    /// What the URL returned, in a few words.
    package let answer: String
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
        case .text: return value.displayString == nil ? .wrongType(expected: "a string") : nil
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
