import HTTPLoading
import Testing

struct LoadRequestTests {
    @Test(arguments: ["", "example.com", "ftp://example.com/", "https://user@example.com/", "https://example.com/a b", "//example.com/"])
    func `a request is made of a URL or a path alone`(url: String) {
        let error = #expect(throws: LoadError.self) { try LoadRequest.get(url) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.explanation?.isEmpty == false)
    }
}
