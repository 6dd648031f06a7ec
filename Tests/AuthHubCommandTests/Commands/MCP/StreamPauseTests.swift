@testable import AuthHubCommand
import Testing

struct StreamPauseTests {
    @Test(arguments: [
        ("the server asks for less than a second", 200, 1, 200), ("the server asks for no pause", 0, 1, 10),
        ("the server says nothing", nil, 1, 1000), ("attempts that bring nothing double it", 200, 3, 800),
        ("the server asks for a day", 86_400_000, 1, 60_000), ("no limit is passed by doubling", 30_000, 5, 60_000),
    ])
    func `waits as long as the server asks for before it opens a stream again`(
        description: String, retry: Int?, attempts: Int, milliseconds: Int
    ) {
        #expect(RemoteConversation.delay(retry, after: attempts) == milliseconds, "\(description)")
    }
}
