import Platform
import Testing

@testable import WebAuthentication

struct ProcessIdentityTests {
    @Test func `distinguishes a process from another with the same number`() throws {
        let ours = try #require(ProcessIdentity.ours)
        #expect(ours.processID == getpid())
        #expect(ours.isRunning)
        #expect(ours.started > 0)
        #expect(!ProcessIdentity(processID: getpid(), started: ours.started + 1).isRunning)
        #expect(ProcessIdentity(of: 999_999_999) == nil)
    }

    @Test func `a process that has exited is no longer running`() async throws {
        let process = try BrowserProcess(
            path: "/bin/sh", arguments: ["sh", "-c", "read line < /dev/null; exec sleep 1000"], environment: [:])
        let identity = try #require(ProcessIdentity(of: process.processID))
        #expect(identity.isRunning)
        process.kill()
        _ = await process.exit
        #expect(!identity.isRunning)
    }

    @Test func `reads it back from its text, and from nothing else`() throws {
        let ours = try #require(ProcessIdentity.ours)
        #expect(ProcessIdentity(ours.description) == ours)
        for text in ["", "1", "1-", "-1-1", "0-1", "a-1", "1-1-1", "1-1\n", "99999999999-1"] { #expect(ProcessIdentity(text) == nil) }
    }

    #if os(Linux)
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let line: String
        let started: UInt64?
    }

    @Test(arguments: [
        Row(
            testDescription: "a plain name", line: "7 (cat) R 1 7 7 0 -1 4 92 0 0 0 0 0 0 0 20 0 1 0 5731 2 90 18446744073709551615\n",
            started: 5731),
        Row(
            testDescription: "a name full of brackets and spaces",
            line: "7 (a) Z 1) (b c) S 1 7 7 0 -1 4 92 0 0 0 0 0 0 0 20 0 1 0 5731 2 90 0\n", started: 5731),
        Row(
            testDescription: "exited, and waiting to be reaped", line: "7 (cat) Z 1 7 7 0 -1 4 92 0 0 0 0 0 0 0 20 0 1 0 5731 2 90 0\n",
            started: nil),
        Row(testDescription: "truncated", line: "7 (cat) R 1 7 7 0\n", started: nil),
        Row(testDescription: "nothing", line: "", started: nil),
    ])
    func `the start time is the 22nd field, whatever the name contains`(row: Row) {
        #expect(ProcessIdentity(of: 7, statusLine: row.line)?.started == row.started)
    }
    #endif
}
