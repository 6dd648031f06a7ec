@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// `client add`, `client list` and `client remove`, and the logins that use the clients.
struct RememberedClientTests {
    @Test func `a login needs no client ID after client add, and the secret is never printed`() async throws {
        try await Tool.using { tool in
            let app = try tool.app()
            let secret = try #require(app.secret?.reveal())
            let file = try tool.folder.write(secret, to: "client-secret")
            let place = ["--web", tool.server.issuer]
            let added = try await tool.run(
                ["client", "add", "github-app", "--client-id", app.id, "--client-secret-file", file, "--allow-insecure-loopback"] + place)
            #expect(added.status == 0, "\(added.errorText)")
            let next = "Next: authhub login github-app --web \(tool.server.issuer) --allow-insecure-loopback\n"
            #expect(added.errorText.hasSuffix(next), "\(added.errorText)")

            let listed = try await tool.run("client", "list", "-o", "json")
            let row = try #require(try listed.json().array?.first)
            #expect(row["provider"] == "github-app" && row["place"] == .string(tool.server.issuer) && row["has_secret"] == true)
            #expect(row["client_id"] == .string(app.id) && row["registered"] == false)
            #expect(try await tool.run("client", "list").text.contains(app.id))
            #expect(try await tool.run("store", "list", "-o", "json").text.contains(#""kind":"client""#))

            let login = ["login", "github-app", "--allow-insecure-loopback", "--headless", "--user", Tool.user] + place
            for label in ["default", "second"] {
                let signedIn = try await tool.run(login + ["--as", label])
                #expect(signedIn.status == 0, "\(signedIn.errorText)")
                #expect(!signedIn.errorText.contains("remembered"), "nothing was asked")
            }
            let denied = try await tool.run(login + ["--as", "third", "--deny"])
            #expect(denied.errorText.contains("next: authhub login github-app --web \(tool.server.issuer) --allow-insecure-loopback"))
            // The ID alone: the secret belongs to it.
            #expect(try await tool.run(login + ["--as", "third", "--client-id", app.id]).status == 0)

            let removed = try await tool.run("client", "remove", "github-app", "-o", "json")
            #expect(try removed.json() == ["provider": "github-app", "client_id": .string(app.id), "removed": true])
            #expect(try await tool.run("login", "--headless", "--user", Tool.user).status == 0, "the account keeps its client")
            let without = try await tool.run(login + ["--as", "fourth"])
            #expect(without.status == 64 && without.errorText.contains("the client ID is missing"), "\(without.errorText)")
            for output in [added, listed, denied, removed] {
                #expect(!output.text.contains(secret) && !output.errorText.contains(secret))
            }
        }
    }

    @Test func `an account keeps its own client when another one is added`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let place = ["--web", tool.server.issuer, "--allow-insecure-loopback"]
            let file = try tool.folder.write("other", to: "other-secret")
            let added = try await tool.run(
                ["client", "add", "github-app", "--client-id", "another", "--client-secret-file", file] + place)
            #expect(added.status == 0, "\(added.errorText)")
            let again = try await tool.run(["login", "github-app", "--headless", "--user", Tool.user, "-o", "json"] + place)
            #expect(again.status == 0, "\(again.errorText)")
            #expect(try again.json()["client_id"] == .string(try tool.app().id))
            // The server does not know the client that was added.
            let wrong = try await tool.run(["login", "github-app", "--as", "new", "--headless", "--user", Tool.user] + place)
            #expect(wrong.status != 0)
        }
    }

    @Test func `a client that the tool registered is listed, and is not replaced by another one`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let issuer = tool.server.issuer
            #expect(try await tool.run("client", "register", issuer, "--allow-insecure-loopback").status == 0)
            let row = try #require(try await tool.run("client", "list", "-o", "json").json().array?.first)
            #expect(row["provider"] == .string(issuer) && row["registered"] == true)
            let added = try await tool.run("client", "add", issuer, "--client-id", "native-app", "--allow-insecure-loopback", "-o", "json")
            #expect(try added.errorJSON()["code"] == "already_registered")
            let removed = try await tool.run("client", "remove", issuer, "-o", "json")
            #expect(try removed.errorJSON()["hint"] == .string("this tool registered one: authhub client delete \(issuer)"))
        }
    }

    @Test func `a client that was added is used instead of registering one`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let issuer = tool.server.issuer
            let added = try await tool.run("client", "add", issuer, "--client-id", "native-app", "--allow-insecure-loopback")
            #expect(added.status == 0, "\(added.errorText)")
            let registered = try await tool.run("client", "register", issuer, "--allow-insecure-loopback", "-o", "json")
            #expect(try registered.errorJSON()["hint"] == .string("authhub client remove \(issuer) first"))
            let login = try await tool.run("login", issuer, "--allow-insecure-loopback", "--headless", "--user", Tool.user, "-o", "json")
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try login.json()["client_id"] == "native-app")
        }
    }

    @Test func `advises registration only at a server that offers it`() async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            let words = ["login", tool.server.issuer, "--allow-insecure-loopback", "-o", "json"]
            let offered = try await tool.run(words).errorJSON()["message"]?.string ?? ""
            let command = "authhub client register \(tool.server.issuer) --allow-insecure-loopback"
            #expect(offered.hasSuffix("; or let this tool register one: \(command)"), "\(offered)")
            tool.server.faults.always(at: .metadata, Fault.altered([.member("registration_endpoint", nil)]))
            let none = try await tool.run(words).errorJSON()["message"]?.string ?? ""
            #expect(none.hasPrefix("the client ID is missing") && !none.contains("client register"), "\(none)")
        }
    }

    @Test func `several clients of a provider are removed by their place`() async throws {
        try await Tool.using { tool in
            for place in ["https://one.example", "https://two.example"] {
                #expect(try await tool.run("client", "add", "gitlab", "--client-id", "c", "--web", place).status == 0)
            }
            let unclear = try await tool.run("client", "remove", "gitlab", "-o", "json").errorJSON()
            let hint = "authhub client remove gitlab --web https://one.example, or authhub client remove gitlab --web https://two.example"
            #expect(unclear["hint"] == .string(hint))
            #expect(try await tool.run("client", "remove", "gitlab", "--web", "https://one.example").status == 0)
            #expect(try await tool.run("client", "remove", "gitlab").status == 0)
            #expect(try await tool.run("client", "list", "-o", "json").json() == [])
        }
    }
}
