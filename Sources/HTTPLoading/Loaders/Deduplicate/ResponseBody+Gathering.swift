/// The result of reading a body into memory.
enum GatheredBody: Sendable {
    case whole([UInt8])
    /// A body that is longer than allowed. It yields the bytes that were read, and then the rest.
    case longer(ResponseBody)
}

extension ResponseBody {
    /// Reads the body into memory if it does not exceed a number of bytes. Cancelling the task ends the body.
    func gathered(upTo limit: Int) async throws(LoadError) -> GatheredBody {
        let chunks = ByteStream(self)
        let result = await withTaskCancellationHandler { () async -> Result<[UInt8], LoadError> in
            var bytes: [UInt8] = []
            var reader = chunks.makeAsyncIterator()
            do throws(LoadError) {
                while bytes.count <= limit, let chunk = try await reader.next() { bytes += chunk }
                return .success(bytes)
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        let bytes = try result.get()
        guard bytes.count > limit else { return .whole(bytes) }
        let beginning = OneShot(bytes[...])
        let longer = ResponseBody(announcedLength: announcedLength, cancel: { self.cancel() }) { () async throws(LoadError) in
            if let beginning = beginning.take() { return beginning }
            var reader = chunks.makeAsyncIterator()
            return try await reader.next()
        }
        return .longer(longer)
    }
}
