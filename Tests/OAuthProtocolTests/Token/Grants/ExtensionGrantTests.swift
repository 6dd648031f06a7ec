import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct ExtensionGrantTests {
    @Test func `RFC 6749 §4.5: an extension grant sends its parameters and the client's authentication`() throws {
        let grant = try ExtensionGrant(
            type: "urn:ietf:params:oauth:grant-type:jwt-bearer", parameters: Secret(["assertion": "a.b.c"]), scope: ["read"])
        let message = try TokenRequest.extensionGrant(grant, client: client, at: plainServer).message
        #expect(try message.form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
        #expect(try message.form["assertion"] == "a.b.c")
        #expect(try message.form["scope"] == "read")
        #expect(message.head.headerFields[.authorization] != nil)
        #expect(!"\(grant)".contains("a.b.c"))
    }

    private static let unusable: [(String, String, FormParameters)] = [
        ("a type of the core", "password", ["username": "u"]),
        ("an empty type", "", [:]),
        ("the type again", "urn:g", ["grant_type": "authorization_code"]),
        ("another client", "urn:g", ["client_id": "other"]),
        ("another secret", "urn:g", ["client_secret": "s"]),
        ("an assertion of the client", "urn:g", ["client_assertion": "a"]),
        ("its type", "urn:g", ["client_assertion_type": "a"]),
        ("in another case", "urn:g", ["Client_ID": "other"]),
        ("a parameter twice", "urn:g", ["a": "1", "a": "2"]),
        ("no name", "urn:g", ["": "1"]),
    ]

    @Test(arguments: unusable)
    func `no parameter stands in for the grant or the client`(description: String, type: String, parameters: FormParameters) {
        let failure = error { () throws(OAuthError) in try ExtensionGrant(type: type, parameters: Secret(parameters)) }
        #expect(failure?.code == .misuse, "\(description)")
    }
}
