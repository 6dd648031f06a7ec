import HTTPLoading
import Platform
import Testing

@Suite(.timeLimit(.minutes(15)))
struct FileBodyTests {
    private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
    func `sends a file byte for byte in chunks of 64 KiB, as often as needed`(length: Int) async throws {
        let file = try TemporaryFile(Array(Self.bytes.prefix(length)))
        let body = try RequestBody.file(file.path, contentType: "image/png")
        #expect(body.length == length)
        #expect(body.contentType == "image/png")
        #expect(body.replay == .always)
        for _ in 1...2 {
            let chunks = try await body.open().chunks()
            #expect(chunks.flatMap(\.self) == Array(Self.bytes[..<length]))
            #expect(chunks.dropLast().filter { $0.count != 65_536 }.isEmpty)
            #expect(chunks.count == (length + 65_535) / 65_536)
            #expect(body.canBeSent)
        }
    }

    @Test func `rejects anything but a regular file when the body is created, without naming its path`() throws {
        let file = try TemporaryFile([])
        for (path, reason) in [
            (file.path + "-gone", "does not exist"), (file.path + "/below", "does not exist"),
            (FileManager.default.temporaryDirectory.path, "is not a regular file"), ("/dev/null", "is not a regular file"),
            (file.path + "\0more", "contains a NUL"),
        ] {
            let error = #expect(throws: LoadError.self) { try RequestBody.file(path) }
            #expect(error?.code == .invalidRequest)
            #expect(error?.explanation?.hasSuffix(reason) == true)
            #expect(!dumped(error).contains("canary"))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The contents of the file after the body was created; nil if there is no file.
        let bytes: [UInt8]?
        let reason: String
    }

    static let changes = [
        Row(testDescription: "shorter", bytes: Array(bytes.dropLast()), reason: "became shorter after the request was created"),
        Row(testDescription: "empty", bytes: [], reason: "became shorter after the request was created"),
        Row(testDescription: "longer", bytes: bytes + [0], reason: "became longer after the request was created"),
        Row(testDescription: "gone", bytes: nil, reason: "does not exist"),
    ]

    @Test(arguments: changes)
    func `does not start to send a file that changed its length`(row: Row) async throws {
        let file = try TemporaryFile(Self.bytes)
        let body = try RequestBody.file(file.path)
        if let bytes = row.bytes { try file.write(bytes) } else { file.remove() }
        let error = await #expect(throws: LoadError.self) { try await body.open() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation?.hasSuffix(row.reason) == true)
        #expect(!dumped(error).contains("canary"))
    }

    @Test(arguments: changes.filter { $0.bytes != nil })
    func `a file that changes its length while it is sent never looks complete`(row: Row) async throws {
        let file = try TemporaryFile(Self.bytes)
        var stream = try await RequestBody.file(file.path).open().makeAsyncIterator()
        var received = try #require(try await stream.next()).count
        try file.write(row.bytes ?? [])
        let error = await #expect(throws: LoadError.self) {
            while let chunk = try await stream.next() { received += chunk.count }
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation?.hasSuffix(row.reason) == true)
        #expect(received < Self.bytes.count)
        // The reader stays failed, even if the file is complete again.
        try file.write(Self.bytes)
        await #expect(throws: LoadError.self) { try await stream.next() }
    }

    @Test func `sends the current content of a file that is rewritten with the same length`() async throws {
        let file = try TemporaryFile(Self.bytes)
        let body = try RequestBody.file(file.path)
        try file.write(Self.bytes.reversed())
        #expect(try await body.collected() == Self.bytes.reversed())
    }

    @Test func `a cancelled reader stops, and the file does not appear to end there`() async throws {
        let file = try TemporaryFile(Self.bytes)
        let stream = try await RequestBody.file(file.path).open()
        let reading = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await stream.chunks().count
        }
        reading.cancel()
        let error = await #expect(throws: LoadError.self) { try await reading.value }
        #expect(error?.code == .cancelled)
        let later = await #expect(throws: LoadError.self) { try await stream.chunks() }
        #expect(later?.code == .cancelled)
    }

    #if os(Linux)
    @Test func `opens a file only while it is read, and not for child processes`() async throws {
        let file = try TemporaryFile(Self.bytes)
        let body = try RequestBody.file(file.path)
        #expect(file.openDescriptors.isEmpty)

        var stream: ByteStream? = try await body.open()
        for try await _ in try #require(stream) { break }
        let flags = file.openDescriptors.first?.split(separator: "\n").first { $0.hasPrefix("flags:") }
        let number = try #require(flags?.split(separator: "\t").last.flatMap { Int($0, radix: 8) })
        #expect(number & 0o2_000_000 != 0, "O_CLOEXEC")
        stream = nil
        await closing(of: file)

        stream = try await body.open()
        _ = try await stream?.chunks()
        await closing(of: file)

        stream = try await body.open()
        try file.write([])
        await #expect(throws: LoadError.self) { try await stream?.chunks() }
        await closing(of: file)
        _ = stream
    }

    /// Waits until the file is closed, up to the suite's time limit. A thread that has just read it may hold it a moment longer.
    private func closing(of file: TemporaryFile) async {
        while !file.openDescriptors.isEmpty { await Task.yield() }
    }
    #endif
}
