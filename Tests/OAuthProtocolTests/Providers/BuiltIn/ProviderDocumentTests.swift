import Platform
import Testing

@testable import OAuthProtocol

/// `docs/providers.md` is generated from the profiles.
struct ProviderDocumentTests {
    @Test func `the document lists every built-in provider with its quirks`() throws {
        let root = String(#filePath.split(separator: "/Tests/OAuthProtocolTests/")[0])
        let path = (#filePath.hasPrefix("/") && !root.hasPrefix("/") ? "/" : "") + root + "/docs/providers.md"
        if ProcessInfo.processInfo.environment["AUTHHUB_WRITE_DOCUMENTS"] != nil {
            try Data(Self.text.utf8).write(to: URL(filePath: path))
        }
        let written = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        #expect(written == Self.text, "the file is outdated; run this test with AUTHHUB_WRITE_DOCUMENTS=1")
    }

    private static var text: String {
        var text = """
            # Built-in providers

            `authhub login NAME` supports these providers; in Swift, they are static members of `ProviderProfile`. A test generates this file.
            You can use any other provider by its issuer, or describe it in a file; see
            [Providers and settings](../Sources/AuthHub/AuthHub.docc/ProvidersAndSettings.md).

            *ID token* says whether a session verifies who signed in; *none* means that the flow returns no ID token. *Quirks* lists in which
            members a provider differs from the specifications. `authhub provider show NAME` prints their values, the endpoints, and how to
            register a client.

            | Name | Display name | Client secret | Refresh tokens | Redirect URIs | ID token | Quirks |
            | --- | --- | --- | --- | --- | --- | --- |

            """
        for profile in BuiltInProfileTests.profiles {
            let registration = profile.quirks.registration
            let cells = [
                "`\(profile.name)`", profile.displayName, registration.secret.rawValue, profile.quirks.refreshTokens.rawValue,
                registration.redirectURIs.map(\.rawValue).joined(separator: ", ").replacing("_", with: " "),
                idToken(of: profile), differences(of: profile).joined(separator: ", "),
            ]
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        return text
    }

    private static func idToken(of profile: ProviderProfile) -> String {
        if let reason = profile.quirks.identity.unavailableBecause { return "none: \(reason)" }
        guard profile.endpoints?.jwks != nil else { return "none" }
        return profile.defaultScope.contains("openid") ? "verified" : "verified with the scope `openid`"
    }

    /// The members in a profile's file, except URLs, the user's name and what a registration needs.
    private static func differences(of profile: ProviderProfile) -> [String] {
        let skipped = [
            "name", "display_name", "issuer", "account_endpoint", "base_url", "resource_origins", "refresh_tokens", "default_scope",
            "no_id_token_because", "account.id", "account.name",
        ]
        return ProfileField.all.compactMap { field in
            guard !skipped.contains(field.name), !field.name.hasPrefix("registration."), Endpoints.Name(rawValue: field.name) == nil,
                field.write(profile) != nil
            else { return nil }
            return "`\(field.name)`"
        }
    }
}
