import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

struct ProviderQuirksSettingsTests {
    private func applying(_ text: String, to quirks: ProviderQuirks = ProviderQuirks()) throws(SettingsError) -> ProviderQuirks {
        try quirks.applying(settings: Array(text.utf8), file: "quirks.json")
    }

    @Test func `an object changes the quirks that it names and keeps the others`() throws {
        let quirks = try applying(#"{"responses":{"scope":"scopes"},"scope_name":"permissions"}"#, to: ProviderProfile.slack.quirks)
        var expected = ProviderProfile.slack.quirks
        expected.responses.scope = "scopes"
        expected.authorization.scopeName = "permissions"
        #expect(quirks == expected)
    }

    @Test(arguments: BuiltInProfileTests.profiles.map(\.name))
    func `the quirks of a built-in provider can be written as JSON and read again`(name: String) throws {
        let profile = try #require(BuiltInProfileTests.profiles.first { $0.name == name })
        let provider = try ProviderProfile(settings: Array(#"{"name":"own","issuer":"https://as.example"}"#.utf8), file: "f")
        var own = provider
        own.quirks = profile.quirks
        var members = try #require(own.settings.object)
        for member in provider.settings.object?.members ?? [] { members[member.name] = nil }
        #expect(try applying(String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)) == profile.quirks)
    }

    @Test(arguments: BuiltInProfileTests.profiles.map(\.name))
    func `every quirk is a field of the quirks' table, and nothing else is`(name: String) throws {
        var profile = try #require(BuiltInProfileTests.profiles.first { $0.name == name })
        let written = profile.settings
        let quirks = Set(ProfileField.quirks.map(\.name))
        profile.quirks = ProviderQuirks()
        for field in ProfileField.all {
            #expect((field.write(profile) == nil) || !quirks.contains(field.name), "\(field.name)")
            if !quirks.contains(field.name) {
                let parts = field.name.split(separator: ".").map(String.init)
                #expect(field.write(profile) == (parts.count == 2 ? written[parts[0]]?[parts[1]] : written[field.name]), "\(field.name)")
            }
        }
    }

    @Test(arguments: [
        ("not JSON", "scope_name", nil),
        ("a list", "[]", nil),
        ("an unknown member", #"{"scopename":"s"}"#, "scopename"),
        ("a wrong type", #"{"scope_name":1}"#, "scope_name"),
        ("RQ15: an ID token alone", #"{"response_type":"id_token"}"#, "response_type"),
        ("a member of the provider", #"{"issuer":"https://evil.example"}"#, "issuer"),
        ("an endpoint of the provider", #"{"token_endpoint":"https://evil.example"}"#, "token_endpoint"),
        ("the state under another name", #"{"requests":{"names":{"state":"s"}}}"#, "requests.names"),
        ("an Authorization field", #"{"requests":{"headers":{"Authorization":"Basic x"}}}"#, "requests.headers"),
        ("a secret", #"{"requests":{"parameters_of_refresh":{"client_secret":"x"}}}"#, "requests.parameters_of_refresh"),
    ])
    func `an object that a settings file must not have is rejected`(description: String, text: String, field: String?) {
        #expect("\(description)") {
            _ = try applying(text)
        } throws: { error in
            (error as? SettingsError)?.field == field && (error as? SettingsError)?.file == "quirks.json"
        }
    }
}
