@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import OAuthProtocol
import Testing

/// `client`, `revoke`, `introspect` and `login --flow client-credentials`, as users type them.
struct ClientTests {
    @Test func `a registered client signs in without a client ID, is shown and deleted, and its secret is never printed`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let issuer = tool.server.issuer
            let loopback = "--allow-insecure-loopback"
            let file = tool.folder.path + "/written-secret"
            let registered = try await tool.run(
                "client", "register", issuer, loopback, "--grant", "client-credentials", "--name", "Robot", "--secret-file", file, "-o",
                "json")
            #expect(registered.status == 0, "\(registered.errorText)")
            let report = try registered.json()
            #expect(report["has_secret"] == true && report["manageable"] == true)
            let secret = try tool.folder.read("written-secret").filter { !$0.isNewline }
            #expect(secret.count >= 32)

            let again = try await tool.run("client", "register", issuer, loopback, "-o", "json")
            #expect(try again.errorJSON()["code"] == "already_registered")

            let login = try await tool.run("login", issuer, loopback, "--flow", "client-credentials", "--as", "robot", "-o", "json")
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try login.json()["client_id"] == report["client_id"])
            let noUser = try await tool.run("token", "--id", "--as", "robot", "-o", "json").errorJSON()
            #expect(noUser["message"] == "“robot” belongs to the client itself; no user is signed in")
            #expect(noUser["hint"] == "authhub status --as robot")

            let shown = try await tool.run("client", "show", issuer, loopback, "-o", "json")
            #expect(try shown.json()["metadata"]?["client_name"] == "Robot")

            let told = try await tool.run("introspect", "--as", "robot", "-o", "json")
            #expect(try told.json()["active"] == true)

            for output in [registered, again, login, shown, told] {
                #expect(!output.text.contains(secret) && !output.errorText.contains(secret))
            }
            let deleted = try await tool.run("client", "delete", issuer, loopback, "-o", "json")
            #expect(try deleted.json()["at_server"] == "done")
            let gone = try await tool.run("client", "show", issuer, loopback, "-o", "json")
            #expect(try gone.errorJSON()["code"] == "not_registered")
        }
    }

    @Test func `a native client registers with loopback, and a user signs in with it`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let issuer = tool.server.issuer
            #expect(try await tool.run("client", "register", issuer, "--allow-insecure-loopback").status == 0)
            let login = try await tool.run(
                "login", issuer, "--allow-insecure-loopback", "--headless", "--user", Tool.user, "--scope", "openid,user")
            #expect(login.status == 0, "\(login.errorText)")
        }
    }

    @Test func `RQ12: a client that the tool registers has a redirect path for its issuer only`()
        async throws
    {
        try await Tool.using(.init(persona: .openID)) { tool in
            let issuer = tool.server.issuer
            let report = try await tool.run("client", "register", issuer, "--allow-insecure-loopback", "-o", "json").json()
            let redirectURI = RedirectURI.loopback(forClientsOf: issuer)
            #expect(report["metadata"]?["redirect_uris"] == [.string(redirectURI.description)])
            let promise = Fault.altered([.member("authorization_response_iss_parameter_supported", nil)])
            tool.server.faults.always(at: .metadata, promise)
            let login = try await tool.run("login", issuer, "--allow-insecure-loopback", "--headless", "--user", Tool.user)
            #expect(login.status == 0, "\(login.errorText)")
            let path = redirectURI.description.dropFirst("http://127.0.0.1".count)
            #expect(login.errorText.contains(FormParameters.encode(String(path))), "the address that was shown names it")
        }
    }

    @Test func `an impossible request to a client says what to type instead`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let issuer = tool.server.issuer
            let loopback = "--allow-insecure-loopback"
            let withoutSecret = try await tool.run(
                "login", issuer, loopback, "--client-id", "native-app", "--flow", "client-credentials")
            #expect(withoutSecret.status == 64 && withoutSecret.errorText.contains("--client-secret-file FILE"))

            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            let own = [
                "login", issuer, loopback, "--client-id", "web-app", "--client-secret-file", secret, "--flow", "client-credentials", "--as",
                "robot",
            ]
            #expect(try await tool.run(own).status == 0)
            let nobody = try await tool.run("whoami", "--as", "robot", "-o", "json").errorJSON()
            #expect(nobody["code"] == "not_offered" && nobody["hint"] == "authhub status --as robot")

            let person = ["login", issuer, loopback, "--client-id", "native-app", "--headless", "--user", Tool.user]
            #expect(try await tool.run(person).status == 0)
            let asked = try await tool.run("introspect")
            #expect(asked.status == 1 && asked.errorText.contains("authhub introspect --client-id ID --client-secret-file FILE"))
            let told = try await tool.run("introspect", "--client-id", "web-app", "--client-secret-file", secret)
            #expect(told.status == 0 && told.text.contains("octocat"))
        }
    }

    @Test func `fails to register at a server without metadata, and says what to do`() async throws {
        try await Tool.using { tool in
            let run = try await tool.run("client", "register", tool.server.issuer, "--allow-insecure-loopback", "-o", "json")
            #expect(run.status == 1)
            #expect(try run.errorJSON()["code"] == "not_offered")
        }
    }

    @Test func `RQ10: does not send invalid metadata`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let run = try await tool.run(
                "client", "register", tool.server.issuer, "--allow-insecure-loopback", "--redirect-uri", "http://app.example/cb")
            #expect(run.status == 64, "\(run.errorText)")
            #expect(tool.server.log.requests(path: "/register") == 0)
        }
    }

    @Test func `refreshes a client's own access automatically, and revokes it by name`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            let login = try await tool.run(
                "login", tool.server.issuer, "--allow-insecure-loopback", "--client-id", "web-app", "--client-secret-file", secret,
                "--flow", "client-credentials", "--scope", "repo")
            #expect(login.status == 0, "\(login.errorText)")
            tool.server.faults.expireAllAccessTokens()
            #expect(try await tool.run("request", "GET", tool.server.issuer + "/user").status == 0)
            #expect(try await tool.run("refresh").status == 0)
            #expect(tool.server.log.tokenRequests(grant: "client_credentials") == 3)

            let revoked = try await tool.run("revoke", "-o", "json")
            #expect(try revoked.json() == ["account": "default", "revocation": "done", "stored": false])
            #expect(try await tool.run("status").status == 4)
            #expect(try await tool.run("login").status == 0, "The settings are still there")
        }
    }

    @Test func `revokes and introspects a given token, and never prints it`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            try await tool.run(tool.loginWords())
            let token = try #require(try await tool.run("token", "-o", "json").json()["access_token"]?.string)
            let secret = try tool.folder.write("development-secret-of-the-web-app", to: "secret")
            let asking = ["introspect", "--token-file", "-", "--client-id", "web-app", "--client-secret-file", secret]
            let active = try await tool.run(asking, input: token)
            #expect(active.status == 0, "\(active.errorText)")
            let revoked = try await tool.run(["revoke", "--token-file", "-", "--hint", "access_token"], input: token)
            #expect(revoked.status == 0, "\(revoked.errorText)")
            let inactive = try await tool.run(asking + ["-o", "json"], input: token)
            #expect(inactive.status == 1)
            #expect(try inactive.json() == ["active": false])
            for output in [active, revoked, inactive] { #expect(!output.text.contains(token) && !output.errorText.contains(token)) }
        }
    }
}
