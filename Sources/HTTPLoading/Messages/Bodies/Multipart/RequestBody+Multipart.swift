extension RequestBody {
    /// Combines several bodies into one (RFC 2046 §5.1), by default as the entries of a form (RFC 7578).
    ///
    /// ```swift
    /// try .multipart([
    ///     MultipartPart(named: "title", text: "Holidays"),
    ///     MultipartPart(named: "photo", filename: "beach.jpg", body: .file(path, contentType: "image/jpeg")),
    /// ])
    /// ```
    ///
    /// The body is streamed: each part is read only when it is sent, and never loaded into memory as a whole. The length is known if the
    /// lengths of all parts are known, and the body can be sent again if all parts can. The boundary contains 22 random bytes, so it cannot
    /// occur in a part.
    public static func multipart(_ parts: [MultipartPart], subtype: MultipartSubtype = .formData) -> Self {
        let framing = MultipartFraming(parts)
        return .stream(of: parts.map(\.body), length: framing.length, contentType: framing.contentType(subtype)) {
            ByteStream(MultipartChunks(framing: framing))
        }
    }
}
