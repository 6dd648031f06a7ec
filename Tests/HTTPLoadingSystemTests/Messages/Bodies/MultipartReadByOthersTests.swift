import AuthHubPrimitives
import Dispatch
import HTTPLoading
import Platform
@testable import HTTPLoadingTests
import HTTPTypes
import Testing

#if canImport(Glibc)
import Glibc

/// Tests multipart bodies with the message parser of Python.
struct MultipartReadByOthersTests {
    @Test(.enabled("python3 and its email package are needed") { await run("python3 -c 'import email.parser'").isEmpty })
    func `an independent parser finds the same parts`() async throws {
        let file = try TemporaryFile((0..<150_000).map { UInt8(truncatingIfNeeded: $0) })
        let body = RequestBody.multipart([
            MultipartPart(named: "title", text: "Grüße\r\n--not a boundary--\r\n"),
            MultipartPart(named: "a \"b\"\r\nX-Evil: 1", filename: "\"x\".bin", body: try .file(file.path, contentType: "image/png")),
            MultipartPart(named: "empty", body: .empty),
            MultipartPart(named: "note", headerFields: [.contentType: "text/markdown"], body: .bytes(Array("\r\n".utf8))),
        ])
        let script = try TemporaryFile(
            Array(
                """
                import email.parser, email.policy, json, sys, zlib
                message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(open(sys.argv[1], "rb").read())
                assert message.get_content_type() == "multipart/form-data" and not message.defects
                parts = []
                for part in message.iter_parts():
                    bytes = part.get_payload(decode=True)
                    parts.append([part.get_param("name", header="content-disposition"), part.get_filename(), sorted(map(str.lower, part.keys())),
                                  part.get_content_type(), len(bytes), zlib.crc32(bytes), len(part.defects)])
                print(json.dumps(parts))
                """.utf8))
        let message = try TemporaryFile(Array("Content-Type: \(body.contentType ?? "")\r\n\r\n".utf8) + (try await body.collected()))
        let read = try JSONValue(strict: Array(await run("python3 \(script.path) \(message.path)").utf8))
        #expect(
            read == [
                ["title", nil, ["content-disposition"], "text/plain", 29, 3_198_154_037, 0],
                [
                    "a %22b%22%0D%0AX-Evil: 1", "%22x%22.bin", ["content-disposition", "content-type"], "image/png", 150_000, 13_922_357, 0,
                ],
                ["empty", nil, ["content-disposition"], "text/plain", 0, 0, 0],
                ["note", nil, ["content-disposition", "content-type"], "text/markdown", 2, 346_195_372, 0],
            ])
    }
}

/// The output of a shell command.
private func run(_ command: String) async -> String {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            var text: [UInt8] = []
            if let pipe = popen("\(command) 2>&1", "r") {
                while case let byte = fgetc(pipe), byte != EOF { text.append(UInt8(truncatingIfNeeded: byte)) }
                pclose(pipe)
            }
            continuation.resume(returning: String(decoding: text, as: UTF8.self))
        }
    }
}
#endif
