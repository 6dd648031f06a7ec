import Testing

@testable import AuthHubApp

@MainActor
struct ViewerPageTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let address: String
        var isPage = false
    }

    @Test(arguments: [
        Row(testDescription: "a page on the web", address: "https://anilist.co/user/mio", isPage: true),
        Row(testDescription: "a scheme in upper case", address: "HTTPS://anilist.co/user/mio", isPage: true),
        Row(testDescription: "a development server", address: "http://127.0.0.1:4000/user/mio", isPage: true),
        Row(testDescription: "the web without encryption", address: "http://anilist.co/user/mio"),
        Row(testDescription: "a host that starts like this machine's", address: "http://127.0.0.1.elsewhere.example/"),
        Row(testDescription: "another host after a user name", address: "https://anilist.co@elsewhere.example/"),
        Row(testDescription: "a javascript URL", address: "javascript:alert(1)"),
        Row(testDescription: "a program of this computer", address: "com.example.other:/do"),
        Row(testDescription: "a file", address: "file:///etc/passwd"),
        Row(testDescription: "a path", address: "/user/mio"),
        Row(testDescription: "nothing", address: ""),
    ])
    func `a page is on the web, or on this machine`(row: Row) {
        #expect(ViewerModel.isOnWeb(row.address) == row.isPage)
    }
}
