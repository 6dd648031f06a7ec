import HTTPTypes

extension HTTPResponse {
    /// The media type of the body, in lower case and without parameters; nil if there is no `Content-Type`.
    var mediaType: String? {
        headerFields[.contentType].map { field in field.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace } }
    }
}
