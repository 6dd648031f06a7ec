@testable import AuthHubCommand
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

struct InputFileTests {
    @Test(.timeLimit(.minutes(3)))
    func `waiting for a secret that nobody types ends with the task`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let path = "/dev/fd/\(ends[0])"
        let reading = Task { () throws(Failure) in try InputFile.contents(of: path, limit: 64) }
        reading.cancel()
        let failure = await #expect(throws: Failure.self) { try await reading.value }
        #expect(failure?.exit == .interrupted)
    }
}
