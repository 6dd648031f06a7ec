/// The relationship between the parts of a multipart body.
public enum MultipartSubtype: String, Sendable, Hashable, CaseIterable {
    /// Entries of a form (RFC 7578).
    case formData = "form-data"
    /// Independent parts in order (RFC 2046 §5.1.3).
    case mixed
    /// The same content in several formats, the best one last (RFC 2046 §5.1.4).
    case alternative
    /// A root part, which comes first, and the parts that it references (RFC 2387).
    case related
}
