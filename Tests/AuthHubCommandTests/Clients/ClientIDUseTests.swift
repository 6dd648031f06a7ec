import AuthHub
@testable import AuthHubCommand
import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

struct ClientIDUseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let provider: ProviderReference
        var clientID = "shared"
        /// The text that the warning must contain; nil if there must be no warning.
        let warning: String?
    }

    @Test(arguments: [
        Row(
            testDescription: "RG07 another issuer", provider: .issuer("https://two.example"),
            warning: "the client ID shared was used at https://one.example, for the account “work”"),
        Row(
            testDescription: "RG07 another path of the same host", provider: .issuer("https://one.example/tenant"),
            warning: "was used at https://one.example"),
        Row(
            testDescription: "RG07 a built-in provider", provider: .builtIn("google", place: nil),
            warning: "was used at https://one.example"),
        Row(
            testDescription: "RG07 an ID that a server issued", provider: .issuer("https://two.example"), clientID: "issued",
            warning: "the client ID issued was issued by https://registering.example"),
        Row(
            testDescription: "RG07 an ID that the user added for another server", provider: .issuer("https://two.example"),
            clientID: "added",
            warning: "the client ID added is stored for https://added.example"),
        Row(testDescription: "the same issuer", provider: .issuer("https://one.example"), warning: nil),
        Row(testDescription: "the same issuer with a slash", provider: .issuer("https://one.example/"), warning: nil),
        Row(testDescription: "a different client ID", provider: .issuer("https://two.example"), clientID: "other", warning: nil),
        Row(
            testDescription: "at the server that issued it", provider: .issuer("https://registering.example"), clientID: "issued",
            warning: nil),
        Row(testDescription: "a server on this machine", provider: .issuer("https://127.0.0.1:8443"), warning: nil),
    ])
    func `RG07: a client ID belongs to one server`(row: Row) async throws {
        let folder = try TestFolder()
        // The store reads the files after the last use of the folder itself.
        defer { withExtendedLifetime(folder) {} }
        let store = ToolStore.inFolder("\(folder.path)/store")
        try await AccountBook(store: store).save(
            AccountSettings(provider: .issuer("https://one.example"), client: OAuthClient(id: "shared")), as: "work")
        let registering = ProviderProfile.issuer(try Issuer("https://registering.example"))
        let registration = try #require(
            try RegistrationRequest.register(
                ClientMetadata(nativeProgram: "test", redirectURIs: [.loopback]), at: registering.withRegistration
            ).accept(
                .init(status: .created), body: Secret(Array(#"{"client_id":"issued"}"#.utf8)), from: registering.withRegistration))
        try await RegistrationBook(store: store).save(registration, for: RegistrationKey(issuer: "https://registering.example"))
        let added = AccountSettings(provider: .issuer("https://added.example"), client: OAuthClient(id: "added"))
        try await ClientBook(store: store).save(RememberedClient(added))
        let settings = AccountSettings(provider: row.provider, client: OAuthClient(id: row.clientID))
        let warning = await ClientIDUse(store: store).warning(of: settings)
        #expect((warning == nil) == (row.warning == nil))
        if let expected = row.warning { #expect(warning?.hasPrefix("the client ID") == true && warning?.contains(expected) == true) }
    }
}

extension ProviderProfile {
    fileprivate var withRegistration: ProviderProfile {
        var profile = self
        profile.endpoints = Endpoints(registration: "https://registering.example/register")
        return profile
    }
}
