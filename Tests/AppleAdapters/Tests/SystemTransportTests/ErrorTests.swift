import Foundation
import HTTPLoading
import HTTPTypes
import Testing

@testable import SystemTransportOnLinux

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct ErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let errors: [URLError.Code]
        let expected: LoadError.Code
        let mayHaveBeenSent: Bool
    }

    @Test(arguments: [
        Row(testDescription: "time", errors: [.timedOut], expected: .timedOut, mayHaveBeenSent: true),
        Row(testDescription: "cancelled", errors: [.cancelled], expected: .cancelled, mayHaveBeenSent: true),
        Row(testDescription: "no URL", errors: [.badURL, .unsupportedURL], expected: .invalidRequest, mayHaveBeenSent: false),
        Row(
            testDescription: "connection refused",
            errors: [.cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet],
            expected: .cannotConnect, mayHaveBeenSent: false),
        Row(
            testDescription: "not secure",
            errors: [.secureConnectionFailed, .serverCertificateUntrusted, .appTransportSecurityRequiresSecureConnection],
            expected: .notSecure, mayHaveBeenSent: false),
        Row(
            testDescription: "case 26: the system wanted the body again", errors: [.requestBodyStreamExhausted], expected: .bodySpent,
            mayHaveBeenSent: false),
        Row(
            testDescription: "a response that is not HTTP", errors: [.cannotParseResponse, .cannotDecodeRawData],
            expected: .invalidResponse, mayHaveBeenSent: true),
        Row(
            testDescription: "anything else may have been sent",
            errors: [.networkConnectionLost, .badServerResponse, .httpTooManyRedirects, .unknown],
            expected: .connectionLost, mayHaveBeenSent: true),
    ])
    func `a system error says whether the request was sent, and not its URL`(row: Row) throws {
        let request = try LoadRequest.get("http://127.0.0.1/secret?token=secret")
        for code in row.errors {
            let url: [String: Any] = [NSURLErrorFailingURLErrorKey: "http://127.0.0.1/secret?token=secret"]
            let error = LoadError(session: URLError(code, userInfo: url), for: request)
            #expect(error.code == row.expected, "\(code)")
            #expect(error.mayHaveBeenSent == row.mayHaveBeenSent, "\(code)")
            #expect(!dumped(error).contains("secret"))
        }
    }

    @Test(arguments: [0, 99, 1_000, -1])
    func `an invalid status is not a response`(code: Int) throws {
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let response = try #require(HTTPURLResponse(url: url, statusCode: code, httpVersion: nil, headerFields: nil))
        #expect(HTTPResponse(response) == nil)
    }
}
