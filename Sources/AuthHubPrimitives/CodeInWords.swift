extension String {
    /// A machine-readable code in words: "timed out" for `timed_out`.
    package var codeInWords: String { replacing("_", with: " ") }
}
