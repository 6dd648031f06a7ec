import AuthHubPrimitives
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub
@testable import AuthHubCommand

/// Transcripts: what git writes, and what the helper answers.
struct GitCredentialAnswerTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000)
    private static let base = "protocol=https\nhost=h.example\n"
    private static let new = "capability[]=authtype\ncapability[]=state\n" + base

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let request: String
        var provider = ProviderProfile.gitHub
        var lifetime: Int64? = 3600
        let answer: String
    }

    static let rows: [Row] = [
        Row(
            testDescription: "git 2.39: any user name at GitHub", request: base,
            answer: "username=x-access-token\npassword=token-1\npassword_expiry_utc=1003570\n"),
        Row(
            testDescription: "git 2.39: the user name of the URL stays", request: base + "username=octocat\n",
            answer: "username=octocat\npassword=token-1\npassword_expiry_utc=1003570\n"),
        Row(
            testDescription: "GitLab accepts only its own name", request: base + "username=octocat\n", provider: .gitLab(), lifetime: nil,
            answer: "username=oauth2\npassword=token-1\n"),
        Row(
            testDescription: "Bitbucket accepts only its own name", request: base, provider: .bitbucket, lifetime: nil,
            answer: "username=x-token-auth\npassword=token-1\n"),
        Row(
            testDescription: "Gitea accepts any name", request: base + "username=octocat\n", provider: .gitea(), lifetime: nil,
            answer: "username=octocat\npassword=token-1\n"),
        Row(
            testDescription: "a provider that is not known to host repositories", request: base,
            provider: ProviderProfile(name: "p", displayName: "P"), lifetime: nil, answer: "username=oauth2\npassword=token-1\n"),
        Row(
            testDescription: "no expiry that has passed already", request: base, lifetime: 20,
            answer: "username=x-access-token\npassword=token-1\n"),
        Row(
            testDescription: "git 2.41: a bearer token needs a capability", request: base + "wwwauth[]=Bearer\n", lifetime: nil,
            answer: "username=x-access-token\npassword=token-1\n"),
        Row(
            testDescription: "git 2.46: Basic, if the server offers only that", request: new + "wwwauth[]=Basic realm=\"GitHub\"\n",
            lifetime: nil,
            answer: """
                capability[]=state
                username=x-access-token
                password=token-1
                continue=1
                state[]=authhub:1:PwiqzhIu4jaE

                """),
        Row(
            testDescription: "git 2.46: a bearer token", request: new + "wwwauth[]=Basic realm=\"x\"\nwwwauth[]=Bearer realm=\"Forgejo\"\n",
            answer: """
                capability[]=authtype
                capability[]=state
                authtype=Bearer
                credential=token-1
                ephemeral=1
                password_expiry_utc=1003570
                continue=1
                state[]=authhub:1:PwiqzhIu4jaE

                """),
        Row(
            testDescription: "git 2.46: the last request after a rejection",
            request: new + "wwwauth[]=Bearer error=\"invalid_token\"\nstate[]=authhub:1:AAAAAAAAAAAA\n", lifetime: nil,
            answer: "capability[]=authtype\nauthtype=Bearer\ncredential=token-1\nephemeral=1\n"),
        Row(
            testDescription: "git 2.46: the state of another helper", request: new + "state[]=other:1:x\n", lifetime: nil,
            answer: """
                capability[]=state
                username=x-access-token
                password=token-1
                continue=1
                state[]=authhub:1:PwiqzhIu4jaE

                """),
        Row(
            testDescription: "authtype without state", request: "capability[]=authtype\n" + base + "wwwauth[]=Bearer\n", lifetime: nil,
            answer: "capability[]=authtype\nauthtype=Bearer\ncredential=token-1\nephemeral=1\n"),
    ]

    @Test(arguments: rows)
    func `answers what this version of git understands`(row: Row) throws {
        let request = try GitCredentialRequest(Array(row.request.utf8))
        let answer = GitCredentialAnswer(
            request, token: try Self.token(lifetime: row.lifetime), git: row.provider.quirks.git, now: Self.now)
        #expect(answer.text.reveal() == row.answer)
        #expect(!"\(answer)".contains("token-1"))
    }

    @Test func `finds the rejected token in the state that git returns`() throws {
        let token = try Self.token(lifetime: nil)
        func rejected(_ states: String) throws -> String? {
            GitCredentialAnswer.rejected(in: try GitCredentialRequest(Array((Self.new + states).utf8)))
        }
        #expect(try rejected("state[]=authhub:1:\(token.fingerprint)\n") == token.fingerprint)
        #expect(try rejected("state[]=authhub:1:x\nstate[]=other:1:y\n") == "x")
        #expect(try rejected("state[]=authhub:2:x\n") == nil)
        #expect(try rejected("") == nil)
    }

    private static func token(lifetime: Int64?) throws -> AccessToken {
        let issuedAt = Int64(now.timeIntervalSince1970) * 1000
        let record: JSONValue = [
            "format": .number(JSONNumber(1)), "access_token": "token-1", "token_type": "Bearer", "issued_at": .number(JSONNumber(issuedAt)),
            "expires_at": lifetime.map { .number(JSONNumber(issuedAt + $0 * 1000)) } ?? .null, "scope": "",
        ]
        return AccessToken(try Credential(record: Secret(record.serialized())))
    }
}
