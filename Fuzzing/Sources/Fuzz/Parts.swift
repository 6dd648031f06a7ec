import AuthHubPrimitives

/// Builds a token from the format of the seeds: the parts of the token on separate lines. Input without a line feed is a whole token.
///
/// - Parameter textParts: The number of parts that are not encoded yet, such as the header.
func compactToken(_ input: [UInt8], textParts: Int) -> String {
    let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return String(decoding: input, as: UTF8.self) }
    return lines.enumerated().map { $0 < textParts ? Base64URL.encode($1) : String(decoding: $1, as: UTF8.self) }.joined(separator: ".")
}
