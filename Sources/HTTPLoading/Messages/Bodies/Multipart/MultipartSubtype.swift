/// What the parts of a multipart body are to each other.
public enum MultipartSubtype: String, Sendable, Hashable, CaseIterable {
    /// The entries of a form (RFC 7578).
    case formData = "form-data"
    /// Parts that stand by themselves, in their order (RFC 2046 §5.1.3).
    case mixed
    /// The same in several forms, the best one last (RFC 2046 §5.1.4).
    case alternative
    /// A root, which comes first, and what it refers to (RFC 2387).
    case related
}
