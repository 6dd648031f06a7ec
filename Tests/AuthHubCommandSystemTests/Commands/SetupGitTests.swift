import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// `authhub setup git` with the real git. The tests use their own configuration file.
struct SetupGitTests {
    @Test func `configures git, and removes exactly what was added`() async throws {
        try await Tool.using { tool in
            var tool = tool
            #expect(try await tool.run("setup", "git").status == 4)
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let text = "# mine\n[user]\n  name = x ; no line break"
            let file = try tool.folder.write(text, to: "gitconfig")
            tool.environment["GIT_CONFIG_GLOBAL"] = file
            func content() -> String { FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? "" }

            let shown = try await tool.run("setup", "git")
            #expect(shown.text.contains("credential.\(tool.server.issuer).helper ''") && content() == text)
            for _ in 1...2 { #expect(try await tool.run("setup", "git", "--write").status == 0) }
            #expect(content().hasPrefix(text + "\n[credential \"\(tool.server.issuer)\"]\n\thelper = \n\thelper = /"), "\(content())")
            #expect(content().ranges(of: "helper git\n").count == 1)
            #expect(try await tool.run("setup", "git", "--write", "--host", "git.example").status == 0)
            #expect(content().contains("[credential \"https://git.example\"]"))
            #expect(try await tool.run("setup", "git", "--undo").status == 0)
            #expect(content() == text)
            #expect(try await tool.run("setup", "git", "--undo").errorText.contains("Nothing to undo"))
        }
    }

    @Test func `processes that add servers at the same time lose nothing`() async throws {
        try await Tool.using { tool in
            var tool = tool
            let file = try tool.folder.write("[user]\n\tname = x\n", to: "gitconfig")
            tool.environment["GIT_CONFIG_GLOBAL"] = file
            let hosts = (1...8).map { "git-\($0).example" }
            for process in try hosts.map({ try tool.start(["setup", "git", "--write", "--host", $0]) }) {
                let output = await process.end()
                #expect(output.status == 0, "\(output.errorText)")
            }
            let written = String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
            #expect(hosts.allSatisfy { written.contains("[credential \"https://\($0)\"]") }, "\(written)")
            #expect(try await tool.run("setup", "git", "--undo").status == 0)
            #expect(FileManager.default.contents(atPath: file) == Data("[user]\n\tname = x\n".utf8))
        }
    }

    @Test func `deletes a file that it has created, and leaves lines that were changed`() async throws {
        try await Tool.using { tool in
            var tool = tool
            let file = "\(tool.folder.path)/gitconfig"
            tool.environment["GIT_CONFIG_GLOBAL"] = file
            #expect(try await tool.run("setup", "git", "--write", "--host", "git.example").status == 0)
            #expect(try await tool.run("setup", "git", "--undo").status == 0)
            #expect(!FileManager.default.fileExists(atPath: file))
            #expect(try await tool.run("setup", "git", "--write", "--host", "git.example").status == 0)
            let written = String(decoding: try #require(FileManager.default.contents(atPath: file)), as: UTF8.self)
            let changed = written.replacing("https://git.example", with: "https://other.example")
            _ = try tool.folder.write(changed, to: "gitconfig")
            let output = try await tool.run("setup", "git", "--undo", "-o", "json")
            #expect(output.status == 1)
            #expect(try output.errorJSON()["code"] == "git_failed")
            #expect(FileManager.default.contents(atPath: file) == Data(changed.utf8))
            _ = try tool.folder.write("[user]\n", to: "gitconfig")
            #expect(try await tool.run("setup", "git", "--undo").status == 0, "the user has deleted the lines")
            #expect(FileManager.default.contents(atPath: file) == Data("[user]\n".utf8))
        }
    }

    @Test func `removes the lines of each server from its own section only`() async throws {
        try await Tool.using { tool in
            var tool = tool
            let file = try tool.folder.write("[user]\n\tname = x\n", to: "gitconfig")
            tool.environment["GIT_CONFIG_GLOBAL"] = file
            #expect(try await tool.run("setup", "git", "--write", "--host", "a.example", "--host", "b.example").status == 0)
            let git = try #require(ProcessList.program("git"))
            let removal = ["config", "--global", "--remove-section", "credential.https://b.example"]
            #expect(try await tool.start(removal, at: git).end().status == 0)
            #expect(try await tool.run("setup", "git", "--undo").status == 0)
            #expect(FileManager.default.contents(atPath: file) == Data("[user]\n\tname = x\n".utf8))
            #expect(try await tool.run("setup", "git", "--undo").errorText.contains("Nothing to undo"))
        }
    }

    @Test func `keeps what git itself changed in between, and the link to the file`() async throws {
        try await Tool.using { tool in
            var tool = tool
            let file = try tool.folder.write("[user]\n\tname = x\n", to: "real-gitconfig")
            let link = "\(tool.folder.path)/gitconfig"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
            tool.environment["GIT_CONFIG_GLOBAL"] = link
            #expect(try await tool.run("setup", "git", "--write", "--host", "a.example", "--host", "b.example").status == 0)
            let git = try #require(ProcessList.program("git"))
            for (key, value) in [("user.email", "m@x"), ("credential.https://a.example.username", "mona"), ("core.pager", "less")] {
                #expect(try await tool.start(["config", "--global", key, value], at: git).end().status == 0)
            }
            let lock = try tool.folder.write("", to: "real-gitconfig.lock")
            let locked = try await tool.run("setup", "git", "--undo")
            #expect(locked.status == 1 && locked.errorText.contains("real-gitconfig.lock"), "\(locked.errorText)")
            try FileManager.default.removeItem(atPath: lock)
            #expect(try await tool.run("setup", "git", "--undo").status == 0)
            let expected = """
                [user]
                \tname = x
                \temail = m@x
                [credential "https://a.example"]
                \tusername = mona
                [core]
                \tpager = less

                """
            #expect(FileManager.default.contents(atPath: file) == Data(expected.utf8))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        }
    }
}
