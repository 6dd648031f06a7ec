import HTTPLoading
import Testing

struct RequestOptionsTests {
    @Test func `options have defaults, and nil is a value like any other`() throws {
        enum Number: RequestOption {
            static var defaultValue: Int? { 5 }
        }
        var options = RequestOptions()
        #expect(options[Number.self] == 5)
        #expect(options[AttemptTimeout.self] == .seconds(60))
        options[Number.self] = 7
        #expect(options[Number.self] == 7)
        options[Number.self] = nil
        #expect(options[Number.self] == nil)
    }
}
