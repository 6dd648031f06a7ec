import Testing

@testable import OAuthProtocol

struct ScopeTests {
    @Test(
        arguments: [
            ("read write", ["read", "write"]), ("", []), ("read,write", nil), ("read, write", nil), ("read,", nil),
            ("db:a,b read", ["db:a,b", "read"]), ("db:a,b,c", nil),
        ] as [(String, [String]?)])
    func `TR17: commas in a granted scope count only in names that were requested`(text: String, names: [String]?) {
        let requested: Scope = ["read", "db:a,b"]
        #expect(Scope(granted: text, separators: [" "], requested: requested)?.names == names)
        #expect(Scope(granted: text, separators: [" ", ","], requested: requested) != nil)
    }

    @Test(arguments: [
        (" ", false), ("\"", false), ("\\", false), ("\u{7F}", false), ("!", true), ("#", true), ("[", true), ("]", true), ("~", true),
    ])
    func `a scope name is visible ASCII without quotation mark and backslash`(name: String, isValid: Bool) {
        #expect(Scope.isValid(name) == isValid)
    }

    @Test(.timeLimit(.minutes(15)))
    func `a scope with a hundred thousand names, which a server may send, is read and compared at once`() {
        let scope = Scope((0..<100_000).map(String.init).joined(separator: " "))
        #expect(scope.names.count == 100_000)
        #expect(scope.missing(from: scope.union(["more"])) == ["more"])
    }

    @Test func `names keep their order, and each counts once`() {
        #expect(Scope("b a b").names == ["b", "a"])
        #expect(Scope("a,b c", separators: [",", " "]).names == ["a", "b", "c"])
        #expect(Scope("a").missing(from: ["a", "b"]) == ["b"])
        #expect(Scope("b a").union(["c", "a"]).names == ["b", "a", "c"])
    }
}
