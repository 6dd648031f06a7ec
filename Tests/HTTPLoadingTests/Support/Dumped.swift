/// Everything that can be printed of a value.
func dumped(_ value: some Any) -> String {
    var text = "\(value) \(String(reflecting: value)) "
    dump(value, to: &text)
    return text
}
