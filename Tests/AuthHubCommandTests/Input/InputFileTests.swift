import Platform
@testable import AuthHubCommand
import AuthHubPrimitives
import Testing

struct InputFileTests {
    @Test(.timeLimit(.minutes(15)))
    func `waiting for a secret that is never typed ends with the task`() async throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let path = "/dev/fd/\(ends[0])"
        let reading = Task { () throws(Failure) in try InputFile.contents(of: path, limit: 64) }
        reading.cancel()
        let failure = await #expect(throws: Failure.self) { try await reading.value }
        #expect(failure?.exit == .interrupted)
    }

    @Test(.timeLimit(.minutes(15)))
    func `waiting for the writer of a FIFO ends with the task`() async throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/fifo"
        try #require(mkfifo(path, 0o600) == 0)
        let reading = Task { () throws(Failure) in try InputFile.contents(of: path, limit: 64) }
        reading.cancel()
        let failure = await #expect(throws: Failure.self) { try await reading.value }
        #expect(failure?.exit == .interrupted)
    }

    @Test(arguments: [
        ("\u{FEFF}s3cr3t\r\n", "s3cr3t"), (" s3cr3t\t\n", "s3cr3t"), ("\n\u{A0}s3cr3t", "s3cr3t"), ("two words\n", "two words"),
        ("s3cr3t\n \n\u{200B}\n", "s3cr3t"), ("\u{FEFF}\r\n\u{2028}s3cr3t\u{85}", "s3cr3t"),
    ])
    func `a secret is read without what editors and pages add`(text: String, secret: String) throws {
        let folder = try TestFolder()
        let path = try folder.write(text, to: "secret")
        #expect(try InputFile.secret(in: path).reveal() == secret)
    }

    @Test(arguments: [("\u{FEFF}s3cr3t\r\n", "\u{FEFF}s3cr3t"), (" s3cr3t\t\n\n", " s3cr3t\t"), ("two words", "two words"), (" \n", " ")])
    func `a passphrase is read exactly, up to the end of its line`(text: String, passphrase: String) throws {
        let folder = try TestFolder()
        let path = try folder.write(text, to: "secret")
        #expect(try InputFile.passphrase(in: path).reveal().utf8.elementsEqual(passphrase.utf8))
    }

    @Test(arguments: ["\n s3cr3t", "s3cr3t\n \n", "", "\n\n"])
    func `a passphrase of several lines, or none, is rejected`(text: String) throws {
        let folder = try TestFolder()
        let path = try folder.write(text, to: "secret")
        #expect(throws: Failure.self) { try InputFile.passphrase(in: path) }
    }

    @Test(arguments: [" \n", "\u{FEFF}", "a\nb"])
    func `a file without a secret is named`(text: String) throws {
        let folder = try TestFolder()
        let path = try folder.write(text, to: "secret")
        #expect(throws: Failure.self) { try InputFile.secret(in: path) }
    }

    @Test(.timeLimit(.minutes(15)))
    func `reads a FIFO to its end, whenever its writer opens it`() async throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/fifo"
        try #require(mkfifo(path, 0o600) == 0)
        let writer = try ChildProcess("/bin/sh", ["-c", "printf 'one ' > '\(path)'"], environment: [:], input: [])
        let bytes = try InputFile.contents(of: path, limit: 64)
        #expect(bytes == Array("one ".utf8))
        #expect(await writer.end().status == 0)
    }
}
