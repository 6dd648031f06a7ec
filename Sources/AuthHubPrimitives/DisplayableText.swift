/// Text of a stranger made fit for a terminal or a window: no control, format or bidirectional characters, no line breaks, cut.
package func displayable(_ text: String, limit: Int) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: continue
        default: scalars.append(scalar)
        }
    }
    return String(scalars)
}
