import AuthHubPrimitives
import HTTPLoading
import Testing

@testable import AuthHub

struct ServerDirectoryTests {
    @Test(arguments: [
        ("https://resource.example", true), ("http://resource.example", false), ("http://127.0.0.1:8080", true),
        ("http://127.evil.example", false),
    ])
    func `RFC 6750 §5.3: sends a token to no origin without encryption, whatever the program lists`(url: String, isSent: Bool) async throws
    {
        let origin = try #require(Origin(url: url))
        let setting = SessionSetting()
        let session = setting.session(tokenOrigins: [origin])
        try await session.signIn()
        _ = try await session.load(.get(url))
        #expect(setting.server.apiRequests.map(\.authorization) == [isSent ? "Bearer access-1" : nil])
    }
}
