import Platform
import Testing

@testable import WebAuthentication

struct CustomSchemeHandlerTests {
    private let home: ScriptFolder
    private let program: String
    private let handler: CustomSchemeHandler

    init() throws {
        home = try ScriptFolder()
        program = try home.add("a program", "exit 0")
        handler = try CustomSchemeHandler(scheme: "com.example.App", environment: ["HOME": home.path, "PATH": "/nowhere"])
    }

    private var defaults: String { "\(home.path)/.config/mimeapps.list" }
    private var entry: String { "\(home.path)/.local/share/applications/authhub-callback-com.example.app.desktop" }

    private func read(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: "\(home.path)/.config", withIntermediateDirectories: true)
        try text.write(toFile: defaults, atomically: true, encoding: .utf8)
    }

    @Test func `registers a handler for this user only, reports it, and removes it again`() throws {
        #expect(try handler.status() == .notRegistered)
        try handler.register(command: [program, "callback"], name: "Example")
        #expect(try handler.status() == .registered(command: [program, "callback"]))
        #expect(try read(entry).contains("Exec=\"\(program)\" callback %u\n"))
        #expect(try read(entry).contains("MimeType=x-scheme-handler/com.example.app;\n"))
        #expect(
            try read(defaults) == "[Default Applications]\nx-scheme-handler/com.example.app=authhub-callback-com.example.app.desktop\n")
        #expect(CustomSchemeHandler.schemes(environment: ["HOME": home.path]) == ["com.example.app"])
        try handler.unregister()
        #expect(try handler.status() == .notRegistered)
        #expect(!FileManager.default.fileExists(atPath: entry))
        #expect(try read(defaults) == "[Default Applications]\n")
        try handler.unregister()
    }

    @Test func `quotes words only if necessary, because some openers do not support quotes`() throws {
        let entry = DesktopEntry(scheme: "com.example.app", name: "Example", command: ["/opt/a-b_c.d/e%f", "callback", "", "a'b", "c%d e"])
        #expect(entry.text.contains("Exec=/opt/a-b_c.d/e%%f callback \"\" \"a'b\" \"c%%d e\" %u\n"))
        #expect(DesktopEntry.command(in: entry.text) == entry.command)
    }

    @Test func `registering changes one line of a list that users and programs edit`() throws {
        let list = { (handler: String) in
            """
            # mine
            [Added Associations]
            x-scheme-handler/com.example.app=other.desktop;

            [Default Applications]
            text/html=firefox.desktop
            \(handler)
            x-scheme-handler/com.example.app2=kept.desktop

            [Removed Associations]
            text/plain=x.desktop;

            """
        }
        try write(list("x-scheme-handler/com.example.app = other.desktop;more.desktop;"))
        #expect(try handler.status() == .claimed(by: "other.desktop"))
        try handler.register(command: [program], name: "Example")
        #expect(try read(defaults) == list("x-scheme-handler/com.example.app=authhub-callback-com.example.app.desktop"))
    }

    @Test func `reads a list with Windows line endings, too`() throws {
        try write("[Default Applications]\r\nx-scheme-handler/com.example.app=other.desktop\r\ntext/html=firefox.desktop\r\n")
        #expect(try handler.status() == .claimed(by: "other.desktop"))
        try handler.register(command: [program], name: "Example")
        #expect(
            Array(try read(defaults).utf8)
                == Array(
                    """
                    [Default Applications]\r
                    x-scheme-handler/com.example.app=authhub-callback-com.example.app.desktop
                    text/html=firefox.desktop\r

                    """.utf8))
    }

    @Test func `a scheme that is listed more than once leads to one program after registering, and to none after removing`() throws {
        try write(
            """
            [Default Applications]
            x-scheme-handler/com.example.app=one.desktop
            x-scheme-handler/com.example.app=two.desktop
            [Default Applications]
            x-scheme-handler/com.example.app=three.desktop

            """)
        try handler.register(command: [program], name: "Example")
        #expect(
            try read(defaults) == """
                [Default Applications]
                x-scheme-handler/com.example.app=authhub-callback-com.example.app.desktop
                [Default Applications]

                """)
        try handler.unregister()
        #expect(try !read(defaults).contains("com.example.app"))
    }

    @Test func `concurrent registrations of different schemes all succeed`() async throws {
        let environment = ["HOME": home.path, "PATH": "/nowhere"]
        let schemes = (0..<16).map { "com.example.number-\(Unicode.Scalar(UInt8(ascii: "a") + UInt8($0)))" }
        try await withThrowingTaskGroup { group in
            for scheme in schemes {
                group.addTask {
                    try CustomSchemeHandler(scheme: scheme, environment: environment).register(command: [program], name: "Example")
                }
            }
            try await group.waitForAll()
        }
        for scheme in schemes {
            #expect(try CustomSchemeHandler(scheme: scheme, environment: environment).status() == .registered(command: [program]))
        }
        #expect(CustomSchemeHandler.schemes(environment: environment) == schemes)
    }

    @Test(arguments: ["authhub-callback-.desktop", "authhub-callback-no scheme.desktop", "authhub-callback-https.desktop"])
    func `an invalid file named like a handler hides no other`(_ name: String) throws {
        try handler.register(command: [program], name: "Example")
        try "".write(toFile: "\(home.path)/.local/share/applications/\(name)", atomically: true, encoding: .utf8)
        #expect(CustomSchemeHandler.schemes(environment: ["HOME": home.path]) == ["com.example.app"])
    }

    @Test(arguments: ["a folder", "no text"]) func `leaves an unreadable list as it is`(_ kind: String) throws {
        try FileManager.default.createDirectory(atPath: "\(home.path)/.config", withIntermediateDirectories: true)
        if kind == "a folder" {
            try FileManager.default.createDirectory(atPath: defaults, withIntermediateDirectories: false)
        } else {
            try Data([0x5B, 0xFF, 0x0A]).write(to: URL(filePath: defaults))
        }
        let error = #expect(throws: WebAuthenticationError.self) { try handler.register(command: [program], name: "Example") }
        #expect(error?.code == .cannotReceive)
        #expect(error?.explanation?.contains("mimeapps.list") == true)
        if kind == "no text" { #expect(try Data(contentsOf: URL(filePath: defaults)) == Data([0x5B, 0xFF, 0x0A])) }
    }

    @Test func `a dangling link is not an obstacle`() throws {
        try FileManager.default.createDirectory(atPath: "\(home.path)/.config", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: defaults, withDestinationPath: "\(home.path)/missing")
        try handler.register(command: [program], name: "Example")
        #expect(try handler.status() == .registered(command: [program]))
    }

    @Test func `keeps what another program claimed in the meantime when the handler is removed`() throws {
        try handler.register(command: [program], name: "Example")
        let claimed = "[Default Applications]\nx-scheme-handler/com.example.app=other.desktop\n"
        try write(claimed)
        #expect(try handler.status() == .claimed(by: "other.desktop"))
        try handler.unregister()
        #expect(try read(defaults) == claimed)
    }

    @Test func `changes a list that is a symbolic link in its target`() throws {
        try home.addFolder("dotfiles")
        try FileManager.default.createDirectory(atPath: "\(home.path)/.config", withIntermediateDirectories: true)
        try "text\n".write(toFile: "\(home.path)/dotfiles/list", atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: defaults, withDestinationPath: "\(home.path)/dotfiles/list")
        try handler.register(command: [program], name: "Example")
        #expect(try read("\(home.path)/dotfiles/list").hasPrefix("text\n\n[Default Applications]\n"))
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: defaults)) != nil)
    }

    @Test func `reports a program that is gone`() throws {
        try handler.register(command: [program], name: "Example")
        try FileManager.default.removeItem(atPath: program)
        #expect(try handler.status() == .programMissing(program))
    }

    @Test(arguments: [#"/opt/a b/c"#, #"/opt/"quoted"/c"#, #"/opt/$HOME`x`/c"#, #"/opt/back\slash/c"#, "/opt/100%u/c", "/opt/it's/c"])
    func `reads back any path of a program unchanged`(_ path: String) {
        let entry = DesktopEntry(scheme: "com.example.app", name: "Ex\nample", command: [path, "callback"])
        #expect(DesktopEntry.command(in: entry.text) == [path, "callback"])
        #expect(entry.text.contains("Name=Ex\\nample\n"))
    }

    @Test func `no name can add a line to the file`() {
        let text = DesktopEntry(scheme: "com.example.app", name: "Example\r\nExec=evil", command: ["/opt/a"]).text
        #expect(text.unicodeScalars.split(separator: "\n").map { String($0) }.contains("Name=Example\\r\\nExec=evil"))
    }

    @Test(arguments: [["relative"], [], ["/opt/a=b"], ["/opt/a\nExec=evil"], ["/opt/a", "b\nExec=evil"], ["/opt/a", "b\r\nExec=evil"]])
    func `rejects a program that a desktop could not start`(_ command: [String]) {
        let error = #expect(throws: WebAuthenticationError.self) { try handler.register(command: command, name: "Example") }
        #expect(error?.code == .cannotReceive)
    }

    @Test func `warns about a digit in a scheme`() throws {
        #expect(handler.caution == nil)
        #expect(try CustomSchemeHandler(scheme: "com.example.app2", environment: [:]).caution?.contains("digit") == true)
    }
}
