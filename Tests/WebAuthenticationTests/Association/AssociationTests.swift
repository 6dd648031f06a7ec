import AuthHubPrimitives
import Testing

@testable import WebAuthentication

struct AssociationTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let file: String
        /// The only finding; nil if there is none.
        let finding: String?
        var check = AssociationCheck(app: ApplicationIdentifier("ABCDE12345.com.example.app"), path: "/auth/callback")

        init(_ description: String, _ file: String, says finding: String? = nil, links: Bool = false) {
            (testDescription, self.file, self.finding) = (description, file, finding)
            check.needsLinks = links
        }
    }

    private static let app = "ABCDE12345.com.example.app"
    private static func links(_ components: String) -> String {
        #"{"webcredentials":{"apps":["\#(app)"]},"applinks":{"details":[{"appIDs":["\#(app)"],\#(components)}]}}"#
    }

    static let rows = [
        Row("the app is named", #"{"webcredentials":{"apps":["\#(app)"]}}"#),
        Row("others are named as well", #"{"webcredentials":{"apps":["ZZZZZ99999.other","\#(app)"]},"more":1}"#),
        Row("not JSON", "<html>", says: "not JSON"),
        Row("a duplicate member", #"{"webcredentials":{"apps":[]},"webcredentials":{"apps":["\#(app)"]}}"#, says: "not JSON"),
        Row("no object", "[]", says: "not an object"),
        Row("too long", "{" + String(repeating: " ", count: 131_072) + "}", says: "131074 bytes"),
        Row("only applinks, as tutorials say", #"{"applinks":{"details":[]}}"#, says: "no “webcredentials”"),
        Row("apps is a string", #"{"webcredentials":{"apps":"\#(app)"}}"#, says: "no array “apps”"),
        Row(
            "another app", #"{"webcredentials":{"apps":["ABCDE12345.com.example.other"]}}"#,
            says: "does not name ABCDE12345.com.example.app"),
        Row("links cover the path", links(#""components":[{"/":"/auth/*"}]"#), links: true),
        Row("links without a path cover all paths", links(#""components":[{"?":{"code":"*"}}]"#), links: true),
        Row("one character", links(#""components":[{"/":"/auth/callbac?"}]"#), links: true),
        Row("excluded first", links(#""components":[{"/":"/auth/*","exclude":true},{"/":"*"}]"#), says: "does not cover", links: true),
        Row("letter case", links(#""components":[{"/":"/AUTH/*"}]"#), says: "does not cover", links: true),
        Row("letter case that does not matter", links(#""components":[{"/":"/AUTH/*","caseSensitive":false}]"#), links: true),
        Row("older form", links(#""paths":["NOT /auth/x","/auth/*"]"#), links: true),
        Row("older format, excluded", links(#""paths":["NOT /auth/*","*"]"#), says: "does not cover", links: true),
        Row("a variable", links(#""components":[{"/":"/$(lang)/callback"}]"#), says: "it is unknown whether", links: true),
        Row("links are missing", #"{"webcredentials":{"apps":["\#(app)"]}}"#, says: "no “applinks”", links: true),
    ]

    @Test(arguments: rows) func `checks an association file as the systems that read it would`(_ row: Row) {
        let findings = row.check.findings(in: Array(row.file.utf8))
        guard let expected = row.finding else {
            #expect(findings == [])
            return
        }
        #expect(findings.count == 1)
        #expect(findings.first?.description.contains(expected) == true, "\(findings)")
    }

    @Test func `a bundle identifier alone does not name an app`() {
        let check = AssociationCheck(app: ApplicationIdentifier(Self.app))
        let file = #"{"webcredentials":{"apps":["com.example.app","\#(Self.app)"]}}"#
        #expect(check.findings(in: Array(file.utf8)).map(\.description).first?.contains("ten characters") == true)
    }

    @Test(
        arguments: [
            (200, "application/json", nil), (200, "application/json; charset=utf-8", nil), (200, "text/html", "application/json"),
            (200, nil, "missing"), (404, "application/json", "404"), (301, nil, "redirects"),
        ] as [(Int, String?, String?)])
    func `how the file is served matters as well`(status: Int, type: String?, finding: String?) {
        let findings = AssociationCheck().findings(status: status, contentType: type, location: status == 301 ? "https://x.example" : nil)
        #expect(findings.count == (finding == nil ? 0 : 1))
        if let finding { #expect(findings.first?.description.contains(finding) == true) }
    }

    @Test func `a generated file passes the check`() throws {
        let app = try #require(ApplicationIdentifier(Self.app))
        let file = AssociationFile(apps: [app], linkedPaths: ["/auth/callback*"])
        let check = AssociationCheck(app: app, path: "/auth/callback", needsLinks: true)
        #expect(check.findings(in: file.json.serialized()) == [])
        #expect(
            String(decoding: AssociationFile(apps: [app]).json.serialized(), as: UTF8.self)
                == #"{"webcredentials":{"apps":["\#(Self.app)"]}}"#)
    }

    @Test(arguments: [
        "", "com.example.app", "ABCDE1234.com.example.app", "abcde12345.com.example.app", "ABCDE12345.", "ABCDE12345.com..",
        "ABCDE12345.com_example",
    ])
    func `reports an invalid app identifier`(_ text: String) {
        #expect(ApplicationIdentifier(text) == nil)
    }

    @Test func `a pattern with many wildcards is matched quickly`() {
        let pattern = LinkPattern(text: String(repeating: "*a", count: 2000) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 4000)))
    }
}
