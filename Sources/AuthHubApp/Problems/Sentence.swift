import AuthHubPrimitives

/// Turns an underlying error's text, which starts in lower case and has no full stop, into a sentence for a window.
func sentence(_ text: String) -> String {
    let text = displayable(text, limit: 2000)
    guard let first = text.first, let last = text.last else { return "" }
    return first.uppercased() + text.dropFirst() + (".!?".contains(last) ? "" : ".")
}
