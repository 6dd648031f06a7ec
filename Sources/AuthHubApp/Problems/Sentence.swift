import AuthHubPrimitives

/// Text of the floors below, which begins small and ends without a full stop, as a sentence that a window can show.
func sentence(_ text: String) -> String {
    let text = displayable(text, limit: 2000)
    guard let first = text.first, let last = text.last else { return "" }
    return first.uppercased() + text.dropFirst() + (".!?".contains(last) ? "" : ".")
}
