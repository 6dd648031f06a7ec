import AuthHubPrimitives

/// HTML text. Interpolated values are escaped, unless they are HTML themselves.
struct HTML: Sendable, Hashable {
    let text: String
}

extension HTML: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        mutating func appendInterpolation(_ plain: String) {
            text += htmlEscaped(plain)
        }

        mutating func appendInterpolation(_ html: HTML) {
            text += html.text
        }
    }

    init(stringLiteral value: String) {
        text = value
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }
}

extension [HTML] {
    func joined() -> HTML {
        HTML(text: map(\.text).joined(separator: "\n"))
    }
}
