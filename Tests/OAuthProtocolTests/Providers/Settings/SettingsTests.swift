import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

struct SettingsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let field: String?

        init(_ description: String, _ text: String, field: String?) {
            testDescription = description
            self.text = text
            self.field = field
        }
    }

    /// Settings with a custom provider that has these members.
    private static func own(_ members: String, name: String = "own") -> String {
        #"{"provider":{"name":"\#(name)",\#(members)},"client_id":"c"}"#
    }

    @Test(arguments: [
        Row("nothing", "", field: nil),
        Row("not JSON", "provider: google", field: nil),
        Row("a list", "[]", field: nil),
        Row("a duplicate member", #"{"provider":"google","provider":"x","client_id":"c"}"#, field: nil),
        Row("no provider", #"{"client_id":"c"}"#, field: "provider"),
        Row("a provider that is a number", #"{"provider":1,"client_id":"c"}"#, field: "provider"),
        Row("an unknown provider", #"{"provider":"gitlub","client_id":"c"}"#, field: "provider"),
        Row("an issuer over plain http", #"{"provider":"http://as.example","client_id":"c"}"#, field: "provider"),
        Row("no client ID", #"{"provider":"spotify"}"#, field: "client_id"),
        Row("an empty client ID", #"{"provider":"spotify","client_id":""}"#, field: "client_id"),
        Row("a client ID that is a number", #"{"provider":"spotify","client_id":1}"#, field: "client_id"),
        Row("a client ID with an invisible character", "{\"provider\":\"spotify\",\"client_id\":\"c\u{200B}d\"}", field: "client_id"),
        Row("the secret itself", #"{"provider":"spotify","client_id":"c","client_secret":"x"}"#, field: "client_secret"),
        Row("no secret if one is required", #"{"provider":"github","client_id":"c"}"#, field: "client_secret_file"),
        Row("an invalid redirect URI", #"{"provider":"spotify","client_id":"c","redirect_uri":"callback"}"#, field: "redirect_uri"),
        Row("scopes as a string", #"{"provider":"spotify","client_id":"c","scopes":"a b"}"#, field: "scopes"),
        Row("a scope with a space", #"{"provider":"spotify","client_id":"c","scopes":["a b"]}"#, field: "scopes"),
        Row("an unknown field", #"{"provider":"spotify","client_id":"c","scope":["a"]}"#, field: "scope"),
        Row(
            "an origin for a provider with a single instance", #"{"provider":"spotify","client_id":"c","place":"https://h.example"}"#,
            field: "place"),
        Row(
            "an API origin for a provider with a single instance", #"{"provider":"anilist","client_id":"c","api":"https://h.example"}"#,
            field: "api"),
        Row("an origin for an issuer", #"{"provider":"https://as.example","client_id":"c","place":"https://h.example"}"#, field: "place"),
        Row("an API origin for an issuer", #"{"provider":"https://as.example","client_id":"c","api":"https://h.example"}"#, field: "api"),
        Row("a name that is a number", #"{"provider":"spotify","client_id":"c","name":1}"#, field: "name"),
        Row("a name that moves the cursor", ##"{"provider":"spotify","client_id":"c","name":"\u001b[2J"}"##, field: "name"),
        Row(
            "a name that fills the screen", #"{"provider":"spotify","client_id":"c","name":"\#(String(repeating: "a", count: 101))"}"#,
            field: "name"),
        Row("no origin if one is required", #"{"provider":"mastodon","client_id":"c","client_secret_file":"s"}"#, field: "place"),
        Row(
            "an unknown authentication method", #"{"provider":"spotify","client_id":"c","client_authentication":"tls"}"#,
            field: "client_authentication"),
        Row(
            "a flag that is a string", #"{"provider":"spotify","client_id":"c","allow_insecure_loopback_for_development":"yes"}"#,
            field: "allow_insecure_loopback_for_development"),
        Row(
            "a custom provider without a name", #"{"provider":{"token_endpoint":"https://as.example/t"},"client_id":"c"}"#,
            field: "provider.name"),
        Row("one without any URL", #"{"provider":{"name":"own"},"client_id":"c"}"#, field: "provider.token_endpoint"),
        Row(
            "one with an unknown field", #"{"provider":{"name":"own","issuer":"https://as.example","tokens":1},"client_id":"c"}"#,
            field: "provider.tokens"),
        Row(
            "one with an unknown quirk",
            #"{"provider":{"name":"own","issuer":"https://as.example","requests":{"encoding":"xml"}},"client_id":"c"}"#,
            field: "provider.requests.encoding"),
        Row(
            "one with an http URL", #"{"provider":{"name":"own","token_endpoint":"http://as.example/t"},"client_id":"c"}"#,
            field: "provider.token_endpoint"),
        Row(
            "one that turns off PKCE without a reason",
            #"{"provider":{"name":"own","issuer":"https://as.example","code_challenge":"none"},"client_id":"c"}"#,
            field: "provider.code_challenge"),
        Row(
            "one with a name that is a path", #"{"provider":{"name":"../x","issuer":"https://as.example"},"client_id":"c"}"#,
            field: "provider.name"),
        Row("one with a name that hides its file", own(#""issuer":"https://as.example""#, name: ".x"), field: "provider.name"),
        Row(
            "one whose name moves the cursor", own(##""issuer":"https://as.example","display_name":"\u001b[2JBank""##),
            field: "provider.display_name"),
        Row(
            "one with a note that reverses the text direction",
            own(##""issuer":"https://as.example","registration":{"notes":["a\u202eb"]}"##),
            field: "provider.registration.notes"),
        Row(
            "one with a header field that spans two lines", own(##""issuer":"https://as.example","api_headers":{"X-A":"b\r\nX-B: c"}"##),
            field: "provider.api_headers"),
        Row(
            "one with a connection header field", own(#""issuer":"https://as.example","requests":{"headers":{"Host":"b"}}"#),
            field: "provider.requests.headers"),
        Row(
            "one with the client's authentication among the header fields",
            own(#""issuer":"https://as.example","requests":{"headers":{"authorization":"Basic YQ=="}}"#), field: "provider.requests.headers"
        ),
        Row(
            "one with a header field that has no name", own(#""issuer":"https://as.example","api_headers":{"X A":"b"}"#),
            field: "provider.api_headers"),
        Row(
            "one that gives two parameters the same name",
            own(#""issuer":"https://as.example","requests":{"names":{"client_id":"id","client_secret":"id"}}"#),
            field: "provider.requests.names"),
        Row(
            "one that gives a parameter another's name",
            own(#""issuer":"https://as.example","requests":{"names":{"code":"redirect_uri"}}"#), field: "provider.requests.names"),
        Row(
            "one that turns off PKCE by renaming",
            own(#""issuer":"https://as.example","requests":{"names":{"code_challenge":"unknown"}}"#), field: "provider.requests.names"),
        Row(
            "one that renames the scope to another parameter", own(#""issuer":"https://as.example","scope_name":"state""#),
            field: "provider.scope_name"),
        Row(
            "one that stores the state as the description of the user",
            own(#""issuer":"https://as.example","user_parameter":"state""#), field: "provider.user_parameter"),
        Row(
            "a secret in the URL of the sign-in page",
            own(#""issuer":"https://as.example","authorization_parameters":{"client_secret":"x"}"#),
            field: "provider.authorization_parameters"),
        Row(
            "a secret among the parameters",
            own(#""issuer":"https://as.example","requests":{"parameters_of_refresh":{"client_secret":"x"}}"#),
            field: "provider.requests.parameters_of_refresh"),
    ])
    func `rejects unusable settings with file and field, and reveals no secret`(row: Row) {
        do throws(SettingsError) {
            _ = try ClientSettings(Array(row.text.utf8), file: "settings.json")
            Issue.record("taken")
        } catch {
            #expect(error.file == "settings.json")
            #expect(error.field == row.field)
            #expect(error.description.hasPrefix("settings.json: "))
            #expect(row.field.map { error.description.contains($0) } ?? true)
        }
    }

    @Test func `reads every member of usable settings`() throws {
        let text = """
            {"provider":"gitlab","place":"https://git.example","client_id":"c","client_secret_file":"secret","redirect_uri":\
            "com.example.app:/callback","scopes":["read_user","api"],"client_authentication":"client_secret_basic"}
            """
        let settings = try ClientSettings(Array(text.utf8), file: "f")
        #expect(settings.provider.endpoints?.token == "https://git.example/oauth/token")
        #expect(settings.source == .named("gitlab", place: "https://git.example", api: nil))
        #expect(settings.scope == ["read_user", "api"])
        #expect(settings.clientSecretFile == "secret")
        let client = settings.client(secret: Secret("s"))
        #expect(client.id == "c")
        #expect(client.authentication == .basic)
        #expect(client.redirectURI == .customScheme("com.example.app", path: "/callback"))
    }

    @Test(arguments: [#""anilist""#, #""https://as.example""#, #"{"name":"own","token_endpoint":"https://as.example/t"}"#])
    func `a name is the provider's display name`(provider: String) throws {
        let settings = try ClientSettings(Array(#"{"provider":\#(provider),"client_id":"c","name":"My Service"}"#.utf8), file: "f")
        #expect(settings.name == "My Service")
        #expect(settings.provider.displayName == "My Service")
    }

    @Test func `an API at a different origin receives the token, and the pages stay at the provider's origin`() throws {
        let text = #"{"provider":"github","client_id":"c","client_secret_file":"s","api":"https://api.example/"}"#
        let settings = try ClientSettings(Array(text.utf8), file: "f")
        #expect(settings.provider.accountEndpoint == "https://api.example/user")
        #expect(settings.provider.tokenOrigins.map(\.description) == ["https://api.example"])
        #expect(settings.provider.endpoints?.token == "https://github.com/login/oauth/access_token")
    }

    @Test func `a custom provider is in the settings, or was added before`() throws {
        let own = #"{"name":"own","token_endpoint":"https://as.example/t","requests":{"encoding":"json"}}"#
        let text = #"{"provider":\#(own),"client_id":"c"}"#
        let settings = try ClientSettings(Array(text.utf8), file: "f")
        #expect(settings.provider.quirks.requests.encoding == .json)
        #expect(settings.source == .described)
        let added = try ClientSettings(Array(#"{"provider":"own","client_id":"c"}"#.utf8), file: "f", others: ["own": settings.provider])
        #expect(added.provider.endpoints?.token == "https://as.example/t")
    }

    @Test func `sends the parameters that a settings file adds to device authorization requests`() throws {
        let text = """
            {"name":"own","device_authorization_endpoint":"https://as.example/d","token_endpoint":"https://as.example/t","requests":\
            {"parameters_of_device_authorization":{"audience":"api"}},"client_authentication":"client_secret_post",\
            "devices_need_no_client_secret":true}
            """
        let server = try ProviderProfile(settings: Array(text.utf8), file: "f")
        let request = try DeviceAuthorizationRequest(to: server, client: OAuthClient(id: "c"), scope: [])
        #expect(
            try FormParameters(decoding: String(decoding: request.message.body.reveal(), as: UTF8.self)) == [
                "audience": "api", "client_id": "c",
            ])
    }

    @Test(arguments: ProfileField.all.map(\.name))
    func `all members of a profile's file have different names`(name: String) {
        #expect(ProfileField.all.count { $0.name == name } == 1)
    }

    @Test func `writing a profile with other response and push options and reading it again gives the same profile`() throws {
        var profile = plainServer
        profile.name = "own"
        profile.pushedAuthorization = .whenSupported
        profile.quirks.responses.acceptsOKForPushedRequests = true
        profile.quirks.responses.acceptsOKForRegistrations = true
        profile.quirks.requests.devicesNeedNoClientSecret = true
        let read = try ProviderProfile(settings: profile.settings.serialized(), file: "f")
        #expect(read.quirks == profile.quirks)
        #expect(read.pushedAuthorization == .whenSupported)
    }
}
