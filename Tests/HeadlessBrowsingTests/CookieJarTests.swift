@testable import HeadlessBrowsing
import HTTPTypes
import Testing

struct CookieJarTests {
    private func jar(_ lines: String...) -> CookieJar {
        var jar = CookieJar()
        for line in lines { jar.take([.setCookie: line], host: "127.0.0.1") }
        return jar
    }

    @Test func `returns a cookie to its host, below its path`() {
        let jar = jar("a=1; Path=/login; HttpOnly", "b=2")
        #expect(jar.field(host: "127.0.0.1", path: "/login/form?x=1") == "a=1; b=2")
        #expect(jar.field(host: "127.0.0.1", path: "/loginform") == "b=2")
        #expect(jar.field(host: "localhost", path: "/login") == nil)
    }

    @Test func `a cookie that is set again or expires replaces the first`() {
        #expect(jar("a=1", "a=2").field(host: "127.0.0.1", path: "/") == "a=2")
        #expect(jar("a=1", "a=; Max-Age=0").field(host: "127.0.0.1", path: "/") == nil)
        #expect(jar("a=1", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT").field(host: "127.0.0.1", path: "/") == nil)
    }
}
