import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct DeviceAuthorizationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let expected: OAuthError.Code?
        var status = 200

        init(_ description: String, _ body: String, _ expected: OAuthError.Code?, status: Int = 200) {
            testDescription = description
            self.body = body
            self.expected = expected
            self.status = status
        }
    }

    private static let codes = #""device_code":"d","user_code":"u","#
    private static let address = #""verification_uri":"https://as.example/go""#
    private static let tooLong = String(repeating: "A", count: 101)
    private static let good = codes + address

    @Test(arguments: [
        Row("every required member", "{\(good),\"expires_in\":900}", nil),
        Row("DV01 no device code", #"{"user_code":"u",\#(address),"expires_in":900}"#, .invalidResponse),
        Row("DV01 an empty device code", #"{"device_code":"","user_code":"u",\#(address),"expires_in":900}"#, .invalidResponse),
        Row("DV01 a device code that is a number", #"{"device_code":1,"user_code":"u",\#(address),"expires_in":900}"#, .invalidResponse),
        Row("DV01 no user code", #"{"device_code":"d",\#(address),"expires_in":900}"#, .invalidResponse),
        Row("DV01 a null user code", #"{"device_code":"d","user_code":null,\#(address),"expires_in":900}"#, .invalidResponse),
        Row("DV01 no address", "{\(codes)\"expires_in\":900}", .invalidResponse),
        Row("DV01 an empty verification URL", #"{\#(codes)"verification_uri":"","expires_in":900}"#, .invalidResponse),
        Row("DV01 only the complete URL", #"{\#(codes)"verification_uri_complete":"https://a/","expires_in":900}"#, .invalidResponse),
        Row(
            "DV02 the verification URL under Google's name", #"{\#(codes)"verification_url":"https://as.example/go","expires_in":900}"#, nil
        ),
        Row("DV02 an empty verification URL under Google's name", #"{\#(codes)"verification_url":"","expires_in":900}"#, .invalidResponse),
        Row("DV03 no lifetime", "{\(good)}", .invalidResponse),
        Row("DV03 a null lifetime", "{\(good),\"expires_in\":null}", .invalidResponse),
        Row("DV03 a lifetime of 0", "{\(good),\"expires_in\":0}", .invalidResponse),
        Row("DV03 a negative lifetime", "{\(good),\"expires_in\":-1}", .invalidResponse),
        Row("DV03 a lifetime as a string", "{\(good),\"expires_in\":\"900\"}", nil),
        Row("DV03 a lifetime in words", "{\(good),\"expires_in\":\"soon\"}", .invalidResponse),
        Row("DV03 a lifetime that is NaN", "{\(good),\"expires_in\":\"NaN\"}", .invalidResponse),
        Row("DV03 a lifetime that is true", "{\(good),\"expires_in\":true}", .invalidResponse),
        Row("DV03 a lifetime too large to represent", "{\(good),\"expires_in\":1e400}", nil),
        Row(
            "DV06 a user code without visible characters",
            #"{"device_code":"d","user_code":"\u202e\u0007",\#(address),"expires_in":900}"#, .invalidResponse),
        Row(
            "a user code too long to type",
            "{\"device_code\":\"d\",\"user_code\":\"\(tooLong)\",\(address),\"expires_in\":900}", .invalidResponse),
        Row("an error with 400", #"{"error":"invalid_client"}"#, .serverRejected, status: 400),
        Row("an error with 200, as GitHub sends it", #"{"error":"device_flow_disabled"}"#, .serverRejected),
        Row("a duplicate member", "{\(good),\"expires_in\":900,\"expires_in\":901}", .invalidResponse),
        Row("a web page", "<html>", .invalidResponse),
    ])
    func `accepts a response as a whole or not at all`(row: Row) {
        let outcome = error { () throws(OAuthError) in try deviceAuthorization(body: row.body, status: row.status) }
        #expect(outcome?.code == row.expected)
    }

    struct IntervalRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let members: String
        let interval: Duration
        let isDiagnosed: Bool
    }

    @Test(arguments: [
        IntervalRow(testDescription: "DV04 a number", members: #","interval":7"#, interval: .seconds(7), isDiagnosed: false),
        IntervalRow(
            testDescription: "DV04 a fraction of a second", members: #","interval":1.5"#, interval: .seconds(1.5), isDiagnosed: false),
        IntervalRow(testDescription: "DV04 almost zero", members: #","interval":1e-9"#, interval: .seconds(1), isDiagnosed: false),
        IntervalRow(testDescription: "DV04 missing", members: "", interval: .seconds(5), isDiagnosed: false),
        IntervalRow(testDescription: "DV04 null", members: #","interval":null"#, interval: .seconds(5), isDiagnosed: false),
        IntervalRow(testDescription: "DV04 zero", members: #","interval":0"#, interval: .seconds(5), isDiagnosed: true),
        IntervalRow(testDescription: "DV04 negative", members: #","interval":-5"#, interval: .seconds(5), isDiagnosed: true),
        IntervalRow(testDescription: "DV04 a string", members: #","interval":"7""#, interval: .seconds(5), isDiagnosed: true),
        IntervalRow(testDescription: "DV04 a list", members: #","interval":[7]"#, interval: .seconds(5), isDiagnosed: true),
    ])
    func `uses 5 seconds for an invalid interval`(row: IntervalRow) throws {
        let authorization = try deviceAuthorization("\"expires_in\":900\(row.members)")
        #expect(authorization.interval == row.interval)
        #expect(authorization.diagnostics.isEmpty == !row.isDiagnosed)
    }

    @Test func `parses a response that is a form, in which even the interval is a string`() throws {
        let authorization = try deviceAuthorization(
            body: "device_code=d&user_code=AB-12&verification_uri=https%3A%2F%2Fas.example%2Fgo&expires_in=899&interval=9",
            mediaType: "application/x-www-form-urlencoded")
        #expect(authorization.lifetime == .seconds(899))
        #expect(authorization.interval == .seconds(9))
        #expect(authorization.diagnostics.isEmpty)
    }

    struct AddressRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let address: String
        let isOpenable: Bool
        var transport = TransportPolicy.httpsOnly
        var text: String?
    }

    @Test(arguments: [
        AddressRow(testDescription: "DV05 https", address: "https://as.example/go?x=1", isOpenable: true),
        AddressRow(testDescription: "DV05 https with a fragment", address: "https://as.example/#/go", isOpenable: true),
        AddressRow(testDescription: "DV05 http", address: "http://as.example/go", isOpenable: false),
        AddressRow(testDescription: "DV05 http on this machine", address: "http://127.0.0.1:8080/go", isOpenable: false),
        AddressRow(
            testDescription: "DV05 http on this machine, with the loopback exception", address: "http://127.0.0.1:8080/go",
            isOpenable: true,
            transport: .insecureHTTPOnLoopbackForDevelopment),
        AddressRow(
            testDescription: "DV05 http elsewhere, with the loopback exception", address: "http://as.example/go", isOpenable: false,
            transport: .insecureHTTPOnLoopbackForDevelopment),
        AddressRow(testDescription: "DV05 user information", address: "https://as.example@evil.example/go", isOpenable: false),
        AddressRow(testDescription: "DV05 a javascript URL", address: "javascript:alert(1)", isOpenable: false),
        AddressRow(testDescription: "DV05 a file URL", address: "file:///etc/passwd", isOpenable: false),
        AddressRow(testDescription: "DV05 a command-line option of a browser", address: "--proxy-server=evil", isOpenable: false),
        AddressRow(testDescription: "DV05 no scheme", address: "as.example/go", isOpenable: false),
        AddressRow(
            testDescription: "DV05 control characters", address: #"https://as.example/\u001b[2J"#, isOpenable: false,
            text: "https://as.example/[2J"),
        AddressRow(
            testDescription: "DV05 a homoglyph", address: "https://аs.example/go", isOpenable: false),
    ])
    func `a verification URL can be opened, or only be displayed`(row: AddressRow) throws {
        var server = deviceServer
        server.transport = row.transport
        let codes = Self.codes + "\"expires_in\":900,"
        let authorization = try deviceAuthorization(
            body: "{\(codes)\"verification_uri\":\"\(row.address)\",\"verification_uri_complete\":\"\(row.address)\"}", from: server)
        for address in [authorization.verificationURI, try #require(authorization.completeVerificationURI)] {
            #expect(address.isOpenable == row.isOpenable)
            #expect(address.text == row.text ?? row.address)
        }
    }

    @Test func `DV06 removes control and bidirectional characters from a user code`() throws {
        let authorization = try deviceAuthorization(
            body: #"{"device_code":"d","user_code":"AB\u001b[31m\u202eCD\r\n",\#(Self.address),"expires_in":900}"#)
        #expect(authorization.userCode == "AB[31mCD")
    }

    @Test func `DV17 the complete URL accompanies the code and never replaces it`() throws {
        let authorization = try deviceAuthorization(
            #""expires_in":900,"verification_uri_complete":"https://as.example/go?user_code=ABCD-EFGH""#)
        #expect(authorization.userCode == "ABCD-EFGH")
        #expect(authorization.verificationURI.text == "https://as.example/go")
        #expect(authorization.completeVerificationURI?.text == "https://as.example/go?user_code=ABCD-EFGH")
    }

    @Test func `keeps additional members, and shows no secrets in descriptions`() throws {
        let authorization = try deviceAuthorization(#""expires_in":900,"message":"To sign in, …""#)
        #expect(authorization.member("message")?.reveal().string == "To sign in, …")
        var dumped = ""
        dump(authorization, to: &dumped)
        #expect(!dumped.contains("d-1"))
    }
}
