extension RequestBody {
    /// Several bodies in one (RFC 2046 §5.1), by default the entries of a form (RFC 7578).
    ///
    /// ```swift
    /// try .multipart([
    ///     MultipartPart(named: "title", text: "Holidays"),
    ///     MultipartPart(named: "photo", filename: "beach.jpg", body: .file(path, contentType: "image/jpeg")),
    /// ])
    /// ```
    ///
    /// It streams: no part is read before its turn, and none as a whole. The length is known where those of all parts are, and it can be
    /// sent again where all parts can. The boundary is made of 22 random bytes, so that no part can hold it.
    public static func multipart(_ parts: [MultipartPart], subtype: MultipartSubtype = .formData) -> Self {
        let framing = MultipartFraming(parts)
        return .stream(of: parts.map(\.body), length: framing.length, contentType: framing.contentType(subtype)) {
            ByteStream(MultipartChunks(framing: framing))
        }
    }
}
