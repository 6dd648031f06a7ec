extension RequestBody {
    /// The bytes of a file, read in chunks of 64 KiB while they are sent, each time anew; the file is never in memory as a whole.
    ///
    /// It has to keep its length until it was sent: the request fails where it is shorter, longer or gone by then. A file that is changed
    /// and keeps its length is sent as it is found. Making the body looks at the file, but does not open it.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` where there is no such file, or it is no regular one, such as a folder or a pipe.
    ///   Neither this error nor those of the sending name the path.
    public static func file(_ path: String, contentType: String? = nil) throws(LoadError) -> Self {
        let length = try FileDescriptor.length(of: path)
        return .stream(length: length, contentType: contentType) { () async throws(LoadError) in
            let reader = try await FileReader.open(path, length: length)
            return ByteStream { () async throws(LoadError) in try await reader.next() }
        }
    }
}
