extension RequestBody {
    /// Creates a body from a file, which is read again for each attempt. The file is read in chunks of 64 KiB and never loaded into memory
    /// as a whole.
    ///
    /// The length of the file must not change until it has been sent: the request fails if the file has become shorter or longer, or no
    /// longer exists. If the file changes but keeps its length, its current content is sent. Creating the body checks the file but does not
    /// open it.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the file does not exist or is not a regular file, such as a folder or a pipe. The
    ///   path is not part of this error, nor of the errors that are thrown while the body is sent.
    public static func file(_ path: String, contentType: String? = nil) throws(LoadError) -> Self {
        let length = try FileDescriptor.length(of: path)
        return .stream(length: length, contentType: contentType) { () async throws(LoadError) in
            let reader = try await FileReader.open(path, length: length)
            return ByteStream { () async throws(LoadError) in try await reader.next() }
        }
    }
}
