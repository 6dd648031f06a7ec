/// Escapes plain text for HTML, between tags and in quoted attributes.
package func htmlEscaped(_ plain: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in plain.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;".unicodeScalars
        case "<": escaped += "&lt;".unicodeScalars
        case ">": escaped += "&gt;".unicodeScalars
        case "\"": escaped += "&quot;".unicodeScalars
        case "'": escaped += "&#39;".unicodeScalars
        default: escaped.append(scalar)
        }
    }
    return String(escaped)
}
