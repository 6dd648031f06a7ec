import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct MultipartBodyTests {
    @Test func `writes parts between delimiters, each with its own header fields`() async throws {
        let body = RequestBody.multipart([
            MultipartPart(named: "title", text: "Grüße"),
            MultipartPart(named: "photo", filename: "beach.jpg", body: .bytes([0xFF, 0x0D, 0x0A], contentType: "image/jpeg")),
            MultipartPart(
                named: "note", headerFields: [.contentType: "text/markdown", .contentLanguage: "de", .contentDisposition: "attachment"],
                body: .bytes(Array("*".utf8), contentType: "text/plain")),
        ])
        let boundary = try boundary(of: body)
        var expected = Array(
            """
            --\(boundary)\r
            Content-Disposition: form-data; name="title"\r
            \r
            Grüße\r
            --\(boundary)\r
            Content-Disposition: form-data; name="photo"; filename="beach.jpg"\r
            Content-Type: image/jpeg\r
            \r\n
            """.utf8)
        expected += [0xFF, 0x0D, 0x0A]
        expected += Array(
            """
            \r
            --\(boundary)\r
            Content-Type: text/markdown\r
            Content-Language: de\r
            Content-Disposition: form-data; name="note"\r
            \r
            *\r
            --\(boundary)--\r\n
            """.utf8)
        #expect(try await body.collected() == expected)
        #expect(body.length == expected.count)
        #expect(body.replay == .always)
        // The boundary is the same each time, because the content type was already sent with it.
        #expect(try await body.collected() == expected)
    }

    @Test func `a body without parts is only the closing delimiter`() async throws {
        let body = RequestBody.multipart([])
        #expect(try await body.collected() == Array("--\(boundary(of: body))--\r\n".utf8))
        #expect(body.length == (try await body.collected().count))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let expected: String
    }

    @Test(arguments: [
        Row(testDescription: "quotation marks", name: #"a"b"#, expected: "a%22b"),
        Row(testDescription: "line feed", name: "a\nb", expected: "a%0Ab"),
        Row(testDescription: "carriage return", name: "a\rb", expected: "a%0Db"),
        Row(
            testDescription: "a whole header field, and a body", name: "a\"\r\nX-Evil: 1\r\n\r\nbody",
            expected: "a%22%0D%0AX-Evil: 1%0D%0A%0D%0Abody"),
        Row(testDescription: "a backslash stays", name: #"a\b"#, expected: #"a\b"#),
        Row(testDescription: "a percent sign stays", name: "100%22", expected: "100%22"),
        Row(testDescription: "UTF-8 stays", name: "größe 📷", expected: "größe 📷"),
        Row(testDescription: "a NUL becomes a space", name: "a\0b", expected: "a b"),
        Row(testDescription: "nothing", name: "", expected: ""),
    ])
    func `writes names and file names as browsers do`(row: Row) async throws {
        let body = RequestBody.multipart([MultipartPart(named: row.name, filename: row.name, body: .empty)])
        let expected = """
            --\(try boundary(of: body))\r
            Content-Disposition: form-data; name="\(row.expected)"; filename="\(row.expected)"\r
            \r
            \r
            --\(try boundary(of: body))--\r\n
            """
        #expect(try await body.collected() == Array(expected.utf8))
    }

    @Test func `no value of a header field can start another field`() async throws {
        let evil = try #require(HTTPField.Name("X-A"))
        let body = RequestBody.multipart([
            MultipartPart(headerFields: [evil: "1\r\nX-Evil: 1\r\n\r\nbody"], body: .bytes([], contentType: "text/plain\r\nX-Evil: 2"))
        ])
        let text = String(decoding: try await body.collected(), as: UTF8.self)
        #expect(text.split(separator: "\r\n").map { $0.prefix(3) } == ["--A", "X-A", "Con", "--A"])
    }

    @Test func `boundaries are short, need no quotes, and differ`() throws {
        let boundaries = try (1...100).map { _ in try boundary(of: .multipart([])) }
        #expect(Set(boundaries).count == 100)
        for boundary in boundaries {
            #expect((40...70).contains(boundary.utf8.count))
            #expect(boundary.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil)
        }
    }

    @Test func `the caller sets the subtype, and multipart/related names the type of the root part`() throws {
        let part = MultipartPart(body: .bytes([], contentType: #"application/json; a="b""#))
        #expect(RequestBody.multipart([part], subtype: .mixed).contentType?.hasPrefix("multipart/mixed; boundary=") == true)
        #expect(RequestBody.multipart([part], subtype: .alternative).contentType?.hasPrefix("multipart/alternative; boundary=") == true)
        let related = try #require(RequestBody.multipart([part], subtype: .related).contentType)
        #expect(related.hasPrefix("multipart/related; boundary="))
        #expect(related.hasSuffix(#"; type="application/json; a=\"b\"""#))
    }

    @Test func `the length is known if the lengths of all parts are known and their sum does not overflow`() {
        let known = MultipartPart(named: "a", text: "b")
        let unknown = MultipartPart(named: "a", body: .stream { () throws(LoadError) in .bytes([1]) })
        let huge = MultipartPart(named: "a", body: .stream(length: .max) { () throws(LoadError) in .bytes([1]) })
        #expect(RequestBody.multipart([known, known]).length != nil)
        #expect(RequestBody.multipart([known, unknown]).length == nil)
        #expect(RequestBody.multipart([huge, huge]).length == nil)
    }

    @Test func `a part that can be sent only once makes a body that can be sent only once`() async throws {
        let part = MultipartPart(named: "a", body: .once([[1], [2]]))
        let body = RequestBody.multipart([MultipartPart(named: "b", text: "c"), part])
        #expect(body.replay == .once)
        #expect(body.canBeSent)
        _ = try await body.collected()
        #expect(!body.canBeSent)
        let error = await #expect(throws: LoadError.self) { try await body.open() }
        #expect(error?.code == .bodySpent)
    }

    @Test func `a part that was already sent makes a body that cannot be sent`() async throws {
        let once = RequestBody.once([[1]])
        let body = RequestBody.multipart([MultipartPart(named: "a", body: once)])
        _ = try await once.open()
        #expect(!body.canBeSent)
        let error = await #expect(throws: LoadError.self) { try await body.open() }
        #expect(error?.code == .bodySpent)
    }

    @Test func `opens no part before its turn, and reads none ahead`() async throws {
        let events = Mutex<[String]>([])
        let part: @Sendable (String) -> MultipartPart = { name in
            let body = RequestBody.stream { () async throws(LoadError) in
                events.withLock { $0.append("\(name) opened") }
                let rest = Mutex(2)
                return ByteStream { () async throws(LoadError) in
                    let left = rest.withLock { rest in
                        rest -= 1
                        return rest
                    }
                    events.withLock { $0.append("\(name) read") }
                    return left < 0 ? nil : [7]
                }
            }
            return MultipartPart(named: name, body: body)
        }
        var stream = try await RequestBody.multipart([part("a"), part("b")]).open().makeAsyncIterator()
        #expect(events.withLock { $0 }.isEmpty)
        for _ in 1...3 { _ = try await stream.next() }
        #expect(events.withLock { $0 } == ["a opened", "a read", "a read"])
        _ = try await stream.next()
        #expect(events.withLock { $0 } == ["a opened", "a read", "a read", "a read", "b opened"])
    }

    @Test(arguments: [(1, "longer"), (3, "shorter")])
    func `a part with a wrong length fails on its own, whatever the lengths of the others`(announced: Int, reason: String) async throws {
        let wrong = MultipartPart(named: "a", body: .stream(length: announced) { () throws(LoadError) in .bytes([1, 2]) })
        let balance = MultipartPart(named: "b", body: .stream(length: 4 - announced) { () throws(LoadError) in .bytes([1, 2]) })
        let error = await #expect(throws: LoadError.self) { try await RequestBody.multipart([wrong, balance]).collected() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation == "the request body is \(reason) than the \(announced) bytes that it declared")
    }

    @Test func `an error of a part is the error of the body`() async throws {
        let file = try TemporaryFile([1, 2, 3])
        let body = RequestBody.multipart([MultipartPart(named: "file", filename: "f", body: try .file(file.path))])
        file.remove()
        let error = await #expect(throws: LoadError.self) { try await body.collected() }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation == "the request body's file does not exist")
    }
}

/// Returns the boundary in a body's content type.
func boundary(of body: RequestBody) throws -> String {
    let parameter = try #require(body.contentType?.split(separator: "; ").dropFirst().first)
    return String(parameter.trimmingPrefix("boundary="))
}
