import Testing

struct ProxyMachineTests {
    @Test(arguments: ProxyStory.sessions)
    func `messages are sent in a session`(story: ProxyStory) { #expect(story.problems() == []) }

    @Test(arguments: ProxyStory.access)
    func `a rejected message leads to a sign-in within limits`(story: ProxyStory) { #expect(story.problems() == []) }

    @Test(arguments: ProxyStory.messages)
    func `messages are passed on one by one`(story: ProxyStory) { #expect(story.problems() == []) }

    @Test(arguments: ProxyStory.streams)
    func `streams are followed up to the response`(story: ProxyStory) { #expect(story.problems() == []) }

    @Test(arguments: ProxyStory.ends)
    func `the proxy ends with its host`(story: ProxyStory) { #expect(story.problems() == []) }

    @Test func `a story that differs has a problem`() {
        #expect(ProxyStory("no effect", "host ping#1").problems().count == 1)
        #expect(ProxyStory("too much", "host ends\n> finish\n> finish").problems().count == 1)
        #expect(ProxyStory("not demanded", "host ping#1\n> 1 POST 86400s ping#1\n1 data ok#1").problems().count == 1)
    }
}

extension ProxyStory: CustomTestStringConvertible {
    var testDescription: String { description }
}
