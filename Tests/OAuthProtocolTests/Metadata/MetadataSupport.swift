import AuthHubPrimitives
import HTTPTypes

@testable import OAuthProtocol

/// A metadata document of the plain server with more members.
func metadata(_ more: String = "{}", issuer: String = "https://as.example", asked: String = "https://as.example", status: Int = 200)
    throws(OAuthError) -> ServerMetadata
{
    let base = """
        {"issuer":"\(issuer)","authorization_endpoint":"https://as.example/authorize","token_endpoint":"https://as.example/token"
        """
    let members = more.dropFirst().dropLast()
    let body = base + (members.isEmpty ? "" : ",") + members + "}"
    return try ServerMetadata(
        HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8)), of: try Issuer(asked))
}
