import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Testing

struct LinkHeaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fields: [String]
        /// Each link as `reference name=value name`.
        let expected: [String]

        init(_ testDescription: String, _ fields: String..., expected: [String]) {
            self.testDescription = testDescription
            self.fields = fields
            self.expected = expected
        }
    }

    @Test(arguments: [
        Row("one link", #"<https://example.com/?page=2>; rel="next""#, expected: ["https://example.com/?page=2 rel=next"]),
        Row(
            "several in a field", #"<https://example.com/?page=2>; rel="next", <https://example.com/?page=9>; rel="last""#,
            expected: ["https://example.com/?page=2 rel=next", "https://example.com/?page=9 rel=last"]),
        Row("several fields", "</a>;rel=next", "</b>;rel=prev", expected: ["/a rel=next", "/b rel=prev"]),
        Row("delimiters in a URL", "</a,b;c?d=,;>; rel=x", expected: ["/a,b;c?d=,; rel=x"]),
        Row("delimiters in quotation marks", #"</a>; title="a, b; <c>"; rel=x"#, expected: ["/a title=a, b; <c> rel=x"]),
        Row("escapes in quotation marks", #"</a>; title="\"q\" \\ \x""#, expected: [#"/a title="q" \ x"#]),
        Row("a parameter without a value", "</a>; crossorigin; rel=x", expected: ["/a crossorigin rel=x"]),
        Row("an empty value", "</a>; title=\"\"; x=; rel=y", expected: ["/a title= x= rel=y"]),
        Row("no parameters", "</a>, </b>", expected: ["/a", "/b"]),
        Row("an empty reference", "<>; rel=self", expected: [" rel=self"]),
        Row("white space of all kinds", "\t <a> \t;\t rel \t= \"x\" ;\ttype=y , <b>", expected: ["a rel=x type=y", "b"]),
        Row("empty elements", ", ,</a>;;rel=x;, ,</b>,", expected: ["/a rel=x", "/b"]),
        Row("names in upper case", "</a>; REL=Next", expected: ["/a rel=Next"]),
        Row("a repeated parameter", "</a>; rel=x; rel=y", expected: ["/a rel=x rel=y"]),
        Row("an extended parameter", "</a>; title*=UTF-8''%e2%82%ac", expected: ["/a title*=UTF-8''%e2%82%ac"]),
        Row("characters of all languages", #"</a>; title="é😀""#, expected: ["/a title=é😀"]),
        Row("nothing", "", expected: []),
        Row("no angle bracket", "/a; rel=next", expected: []),
        Row("an open angle bracket after a good link", "</a>; rel=x, </b; rel=y", expected: ["/a rel=x"]),
        Row("an open quotation mark after a good link", #"</a>; rel=x, </b>; rel="y"#, expected: ["/a rel=x"]),
        Row("an escape at the end", #"</a>, </b>; rel="y\"#, expected: ["/a"]),
        Row("text after the parameters", "</a>, </b>; rel=x y, </c>", expected: ["/a"]),
        Row("text after the URL", "</a>, </b>x, </c>", expected: ["/a"]),
        Row("a value without a name", "</a>, </b>; =x", expected: ["/a"]),
        Row("an error affects only its own field", "</a", "</b>; rel=x", expected: ["/b rel=x"]),
    ])
    func `parses links as far as they are well formed`(row: Row) {
        var fields = HTTPFields()
        for value in row.fields { append(value, to: &fields) }
        let links = LinkHeader(fields).links.map { link in
            ([link.reference] + link.parameters.map { $0.value == nil ? $0.name : "\($0.name)=\($0.value ?? "")" }).joined(separator: " ")
        }
        #expect(links == row.expected)
    }

    @Test(arguments: [
        ("", true), ("</a>; rel=x", true), ("</a>; rel=x, </b>,", true), ("/a; rel=next", false), ("</a>; rel=x, </b; rel=next", false),
        (#"</a>; rel="next"#, false), ("</a> rel=next", false),
    ])
    func `tells whether a field could be read to its end`(field: String, isWhole: Bool) {
        #expect(header(field).isWhole == isWhole)
    }

    @Test func `finds links by any of their relations, in any case`() {
        let header = header(
            #"</a>; rel="next  Last"; rel=first, </b>; rel=NEXT, </c>; rel="nextish", </d>; rev=next, </e>; rel=next; anchor="/x""#)
        #expect(header.links(rel: "Next").map(\.reference) == ["/a", "/b"])
        #expect(header.links(rel: "last").map(\.reference) == ["/a"])
        #expect(header.links(rel: "first").isEmpty, "only the first rel counts")
        #expect(header.links(rel: "https://example.com/rel").isEmpty)
    }

    @Test(
        arguments: [
            ("https://example.com/x?page=2", "https://example.com/x?page=2"), ("?page=2", "https://api.example.com/a/b?page=2"),
            ("c", "https://api.example.com/a/c"), ("", nil), ("javascript:alert(1)", nil), ("https://user@example.com/", nil),
        ] as [(String, String?)])
    func `resolves a link's reference against the request's URL`(reference: String, expected: String?) throws {
        let link = try #require(header("<\(reference)>; rel=next").links.first)
        let request = try LoadRequest.get("https://api.example.com/a/b?page=1")
        #expect(link.target(from: request.head)?.url == expected)
    }

    private func header(_ value: String) -> LinkHeader {
        var fields = HTTPFields()
        append(value, to: &fields)
        return LinkHeader(fields)
    }

    private func append(_ value: String, to fields: inout HTTPFields) {
        guard let name = HTTPField.Name("Link") else { return }
        fields.append(HTTPField(name: name, value: value))
    }
}
