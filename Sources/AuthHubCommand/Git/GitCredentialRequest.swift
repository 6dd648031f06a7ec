import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

/// A request of git to a credential helper (gitcredentials(7), git-credential(1)). Attributes that the helper does not need are ignored.
struct GitCredentialRequest: Sendable, Equatable {
    /// The protocol: `https`, `http`, or another one that git supports.
    private(set) var scheme = ""
    /// The host, with the port if the URL has one.
    private(set) var host = ""
    private(set) var userName: String?
    /// The token that git reports: as a password, or as the credential of an `Authorization` field.
    private(set) var token: Secret<String>?
    /// The capabilities of this git beyond user names and passwords.
    private(set) var capabilities: [String] = []
    /// The `WWW-Authenticate` fields of the response that made git ask.
    private(set) var challengeFields: [String] = []
    /// The states that git returns to this helper and others.
    private(set) var states: [String] = []

    /// The maximum size of a request, in bytes.
    static let sizeLimit = 1024 * 1024
    /// The longest line that git itself reads, with its line break.
    private static let lineLimit = 65_535

    /// Reads a request, up to an empty line or the end.
    ///
    /// - Throws: ``Failure`` for a line that git never writes, because it may be an attempt to smuggle in another attribute.
    init(_ bytes: [UInt8]) throws(Failure) {
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty { break }
            guard line.count < Self.lineLimit else { throw Self.unusable("has a line of more than \(Self.lineLimit) bytes") }
            guard !line.contains(0), !line.contains(UInt8(ascii: "\r")) else {
                throw Self.unusable("has a line with a carriage return or a null byte")
            }
            guard let end = line.firstIndex(of: UInt8(ascii: "=")), end > line.startIndex else {
                throw Self.unusable("has a line without an attribute's name and =")
            }
            try read(String(decoding: line[..<end], as: UTF8.self), line[line.index(after: end)...])
        }
    }

    private mutating func read(_ name: String, _ bytes: ArraySlice<UInt8>) throws(Failure) {
        func text() throws(Failure) -> String {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.unusable("has a “\(name)” that is not UTF-8") }
            return text
        }
        func append(to list: inout [String]) throws(Failure) {
            // An empty value clears the list.
            if bytes.isEmpty { list = [] } else { list.append(try text()) }
        }
        switch name {
        case "protocol": scheme = try text()
        case "host": host = try text()
        case "username": userName = bytes.isEmpty ? nil : try text()
        case "password", "credential": token = Secret(try text())
        case "capability[]": try append(to: &capabilities)
        case "state[]": try append(to: &states)
        // The server wrote this text, which may be in any encoding.
        case "wwwauth[]": if bytes.isEmpty { challengeFields = [] } else { challengeFields.append(String(decoding: bytes, as: UTF8.self)) }
        // git splits a URL into its parts before it calls a helper. Here, it could only contradict the host.
        case "url": throw Self.unusable("has a “url”, which only git itself reads; write protocol and host")
        default: break
        }
    }

    private static func unusable(_ problem: String) -> Failure {
        .usage("the request \(problem)", hint: "see git help git-credential for the format")
    }
}

extension GitCredentialRequest {
    /// The server that receives the credentials; nil if it is not an http or https server, or the host is not valid.
    var origin: Origin? { Origin(scheme: scheme, authority: host) }

    /// Whether git accepts credentials with an authentication scheme (git 2.46 and later).
    var acceptsSchemes: Bool { capabilities.contains("authtype") }

    /// Whether git returns a state with the next request for the same credential (git 2.46 and later).
    var acceptsState: Bool { capabilities.contains("state") }

    /// Whether the server accepts bearer tokens.
    var offersBearer: Bool { challenges.contains { $0.scheme == "bearer" } }

    /// The scope that the token lacks, if the server says so (RFC 6750 §3.1).
    var missingScope: String? {
        challenges.first { $0.parameters["error"] == "insufficient_scope" }.map { $0.parameters["scope"] ?? "" }
    }

    private var challenges: [AuthenticationChallenge] {
        var fields: HTTPFields = [:]
        for field in challengeFields where HTTPField.isValidValue(field) { fields.append(HTTPField(name: .wwwAuthenticate, value: field)) }
        return AuthenticationChallenge.challenges(of: HTTPResponse(status: .unauthorized, headerFields: fields))
    }
}
