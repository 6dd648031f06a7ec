import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Each kind of body, written to a file at the server and read back.
extension ChainExample {
    static func bodies(at servers: Servers) async throws {
        let chain = try servers.chain()
        let file = FileManager.default.temporaryDirectory.appending(path: "loader-chain-\(UUID().uuidString).txt")
        try Data("from a file".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let bodies: [(String, RequestBody)] = [
            ("empty", .empty),
            ("bytes", .bytes(Array("bytes".utf8), contentType: "text/plain")),
            ("json", .json(["title": "Holidays"])),
            ("form", .form(["title": "bread & butter", "page": "2"])),
            ("file", try .file(file.path, contentType: "text/plain")),
            (
                "stream",
                .stream { () async throws(LoadError) in
                    ByteStream(
                        AsyncStream { lines in
                            for line in ["one ", "two ", "three"] { lines.yield(Array(line.utf8)[...]) }
                            lines.finish()
                        })
                }
            ),
            (
                "multipart",
                .multipart([
                    MultipartPart(named: "title", text: "Holidays"),
                    MultipartPart(named: "photo", filename: "beach.jpg", body: .bytes([1, 2, 3], contentType: "image/jpeg")),
                ])
            ),
        ]
        for (name, body) in bodies {
            let put = try await chain.load(.put("/files/\(name)", body: body))
            let text = try await chain.load(.get("/files/\(name)")).text()
            show("body: \(name)", "\(put.status.code), read back: \(name == "multipart" ? parts(of: text) : "\"\(text)\"")")
        }
    }

    private static func parts(of text: String) -> String {
        "\(text.split(separator: "Content-Disposition: form-data").count - 1) parts, filename \(text.contains("beach.jpg"))"
    }
}
