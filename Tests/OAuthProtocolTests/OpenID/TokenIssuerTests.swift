import OAuthProtocol
import Testing

struct TokenIssuerTests {
    private static let tenant = "9122040d-6c67-4c5b-b112-36a304b66dad"

    @Test(
        arguments: [
            ("the issuer", "contoso", "https://login.microsoftonline.com/contoso/v2.0", true),
            ("another of the profile's issuers", "contoso", "https://login.microsoftonline.com/\(tenant)/v2.0", true),
            ("any tenant", "common", "https://login.microsoftonline.com/\(tenant)/v2.0", true),
            ("no tenant", "common", "https://login.microsoftonline.com//v2.0", false),
            ("a tenant with a slash", "common", "https://login.microsoftonline.com/a/b/v2.0", false),
            ("a name that is too short", "common", "https://login.microsoftonline.com/v2.0", false),
            ("another path", "common", "https://login.microsoftonline.com/\(tenant)/v1.0", false),
            ("another host", "common", "https://login.example/\(tenant)/v2.0", false),
            ("a different tenant than the profile's", tenant, "https://login.microsoftonline.com/contoso/v2.0", false),
            ("an empty name", "common", "", false),
        ] as [(String, String, String, Bool)])
    func `a server's ID tokens name one of its issuers`(description: String, tenant: String, name: String, isKnown: Bool) {
        #expect(ProviderProfile.microsoft(tenant: tenant).mayIssueIDTokens(as: name) == isKnown)
    }

    @Test(arguments: [
        ("https://as.example/", true), ("https://as.example", true), ("https://as.example//", false), ("https://as.example/a", false),
    ])
    func `an ID token may name the issuer with one more slash at the end`(name: String, isKnown: Bool) throws {
        #expect(ProviderProfile.issuer(try Issuer("https://as.example")).mayIssueIDTokens(as: name) == isKnown)
    }
}
