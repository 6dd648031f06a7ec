import AuthHubPrimitives
import Testing

@testable import WebAuthentication

struct DevToolsDialogueTests {
    @Test(arguments: ["https://as.example/.top-chrome/", "about:blank#.top-chrome/"])
    func `no page can impersonate the browser's own UI`(_ url: String) {
        var dialogue = DevToolsDialogue(url: "https://as.example/", address: nil)
        _ = dialogue.begin()
        _ = dialogue.received(Self.target("created", "first", url: "about:blank"))
        _ = dialogue.received(Self.target("created", "popup", url: url))
        #expect(dialogue.received(Self.target("destroyed", "first")).isEmpty)
        #expect(dialogue.received(Self.target("destroyed", "popup")).count == 1)
    }

    @Test func `the browser's own UI is not a window`() {
        var dialogue = DevToolsDialogue(url: "https://as.example/", address: nil)
        _ = dialogue.begin()
        _ = dialogue.received(Self.target("created", "surface", url: "chrome://tab-search.top-chrome/"))
        _ = dialogue.received(Self.target("created", "first", url: "about:blank"))
        #expect(dialogue.received(Self.target("destroyed", "first")).count == 1)
    }

    private static func target(_ what: String, _ id: String, url: String = "") -> DevToolsMessage {
        let isCreated = what == "created"
        return .event(
            method: isCreated ? "Target.targetCreated" : "Target.targetDestroyed",
            parameters: isCreated
                ? ["targetInfo": ["targetId": .string(id), "type": "page", "url": .string(url)]] : ["targetId": .string(id)],
            session: nil)
    }
}
