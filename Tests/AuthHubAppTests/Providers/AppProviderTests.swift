import AuthHubApp
import OAuthProtocol
import Testing

struct AppProviderTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let settings: String
        let service: AppProvider.Service
    }

    @Test(arguments: [
        Row(
            testDescription: "GitHub", settings: #"{"provider": "github", "client_id": "id", "client_secret_file": "s"}"#,
            service: .gitHub(api: "https://api.github.com")),
        Row(
            testDescription: "a GitHub on this machine",
            settings: #"""
                {"provider": "github-app", "place": "http://127.0.0.1:8080", "client_id": "id", "client_secret_file": "s",
                "allow_insecure_loopback_for_development": true}
                """#, service: .gitHub(api: "http://127.0.0.1:8080/api/v3")),
        Row(
            testDescription: "an AniList on this machine",
            settings: #"""
                {"provider": "anilist", "place": "http://127.0.0.1:8080/", "client_id": "id", "allow_insecure_loopback_for_development": true}
                """#, service: .aniList(endpoint: "http://127.0.0.1:8080/graphql")),
        Row(
            testDescription: "AniList", settings: #"{"provider": "anilist", "client_id": "id"}"#,
            service: .aniList(endpoint: "https://graphql.anilist.co")),
        Row(
            testDescription: "a GitHub on this machine with its API elsewhere",
            settings: #"""
                {"provider": "github", "place": "http://127.0.0.1:8080", "api": "http://127.0.0.1:9090", "client_id": "id",
                "client_secret_file": "s", "allow_insecure_loopback_for_development": true}
                """#, service: .gitHub(api: "http://127.0.0.1:9090")),
        Row(
            testDescription: "an AniList with its API elsewhere",
            settings: #"""
                {"provider": "anilist", "place": "http://127.0.0.1:8080", "api": "http://127.0.0.1:9090/graphql", "client_id": "id",
                "allow_insecure_loopback_for_development": true}
                """#, service: .aniList(endpoint: "http://127.0.0.1:9090/graphql")),
        Row(
            testDescription: "an OpenID provider", settings: #"{"provider": "google", "client_id": "id"}"#,
            service: .openID(issuer: "https://accounts.google.com")),
        Row(
            testDescription: "a provider whose ID tokens need a scope",
            settings: #"{"provider": "facebook", "client_id": "id", "client_secret_file": "s", "scopes": ["openid", "public_profile"]}"#,
            service: .openID(issuer: "https://www.facebook.com")),
        Row(
            testDescription: "an OpenID provider that is not built in",
            settings: #"{"provider": "https://id.example", "client_id": "id", "scopes": ["openid", "profile"]}"#,
            service: .openID(issuer: "https://id.example")),
    ])
    func `the settings determine the service and its API`(row: Row) throws {
        let provider = try AppProvider(ClientSettings(Array(row.settings.utf8), file: "test"), secret: nil, file: "test")
        #expect(provider.service == row.service)
    }

    @Test func `the app calls a provider by the name in its settings`() throws {
        let text = #"{"provider": "anilist", "name": "My AniList", "client_id": "id"}"#
        #expect(try AppProvider(ClientSettings(Array(text.utf8), file: "test"), secret: nil, file: "test").name == "My AniList")
    }
}
