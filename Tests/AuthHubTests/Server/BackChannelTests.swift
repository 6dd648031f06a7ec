import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

@testable import AuthHub

struct BackChannelTests {
    private static let endless = ScriptedAnswer { _ throws(LoadError) in
        let end = Gate()
        return LoadResponse(
            HTTPResponse(status: .ok),
            body: ResponseBody(cancel: { end.open() }) { () async throws(LoadError) in
                await end.pass()
                return nil
            })
    }

    @Test(arguments: [("no answer", ScriptedAnswer.never), ("TR22, TX02 an endless response", endless)])
    func `times out the server after 30 seconds, whether or not the transport enforces the timeout`(
        description: String, answer: ScriptedAnswer
    ) async {
        let clock = TestClock()
        var dependencies = Dependencies(transport: RoutedTransport([(.any, answer)]))
        dependencies.clock = LoadClock(clock)
        let backChannel = BackChannel(dependencies)
        let failure = await #expect(throws: SessionError.self) {
            try await clock.run { _ = try await backChannel.get("https://as.example/") }
        }
        #expect(failure?.code == .unreachable)
        #expect(clock.now.offset == .seconds(30))
    }
}
