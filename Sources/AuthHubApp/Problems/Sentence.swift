/// Text of the floors below, which begins small and ends without a full stop, as a sentence.
func sentence(_ text: String) -> String {
    guard let first = text.first, let last = text.last else { return "" }
    return first.uppercased() + text.dropFirst() + (".!?".contains(last) ? "" : ".")
}
