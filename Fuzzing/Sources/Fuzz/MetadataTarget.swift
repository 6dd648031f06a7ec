import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

/// Metadata documents. The first line of an input is the requested issuer, after `loopback` if http is allowed on this machine.
enum MetadataTarget: Target {
    static let name = "metadata"

    static func check(_ input: [UInt8]) throws(Violation) {
        let line = input.prefix { $0 != UInt8(ascii: "\n") }
        var asked = String(decoding: line, as: UTF8.self)[...]
        var transport = TransportPolicy.httpsOnly
        if asked.hasPrefix("loopback ") {
            asked = asked.dropFirst("loopback ".count)
            transport = .insecureHTTPOnLoopbackForDevelopment
        }
        guard let issuer = try? Issuer(String(asked), transport: transport) else { return }
        try require(Addresses.isUsable(issuer.text, transport), "an accepted issuer is a usable URL")
        let origin = Origin(url: issuer.text)
        for address in issuer.metadataURLs {
            try require(
                Addresses.isUsable(address, transport) && Origin(url: address) == origin, "metadata URLs are on the issuer's origin")
        }
        let body = Secret(Array(input.dropFirst(line.count + 1)))
        let first = read(body, issuer), second = read(body, issuer)
        switch (first, second) {
        case (.success(let first), .success(let second)):
            try check(first, of: issuer)
            try require(
                first.endpoints == second.endpoints && first.members == second.members, "a document that is parsed twice has the same value"
            )
        case (.failure(let first), .failure(let second)):
            try require(first.everything == second.everything, "a document that is parsed twice fails with the same error")
        default: throw Violation(sentence: "a document that is parsed twice succeeds or fails both times")
        }
    }

    private static func read(_ body: Secret<[UInt8]>, _ issuer: Issuer) -> Result<ServerMetadata, OAuthError> {
        outcome { () throws(OAuthError) in try ServerMetadata(HTTPResponse(status: .ok), body: body, of: issuer) }
    }

    private static func check(_ metadata: ServerMetadata, of issuer: Issuer) throws(Violation) {
        let named = Array(metadata.issuer.utf8), asked = Array(issuer.text.utf8)
        if named != asked {
            // The only accepted difference: a slash at the end of an issuer without a path.
            func withoutSlash(_ text: [UInt8]) -> [UInt8] { text.last == UInt8(ascii: "/") ? text.dropLast() : text }
            try require(withoutSlash(named) == withoutSlash(asked), "the document's issuer is the requested one")
            try require(withoutSlash(asked).count(where: { $0 == UInt8(ascii: "/") }) == 2, "an issuer with a path must match exactly")
        }
        for endpoint in Endpoints.Name.allCases.compactMap({ metadata.endpoints[$0] }) {
            try require(Addresses.isUsable(endpoint, issuer.transport), "an accepted endpoint is a usable URL: \(endpoint)")
        }
    }
}
