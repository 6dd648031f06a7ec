package import HTTPTypes

extension HTTPFields {
    /// The media type of the body, in lower case and without parameters; nil if there is no `Content-Type`.
    package var mediaType: String? {
        self[.contentType].map { field in field.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace } }
    }
}
