import HTTPLoading

extension Chain {
    /// Starts a request whose body is collected.
    func begin(_ request: LoadRequest) -> Task<Result<[UInt8], LoadError>, Never> {
        Task {
            do throws(LoadError) {
                return .success(try await load(request).body.collect(upTo: 1 << 30))
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Result where Failure == LoadError {
    var code: LoadError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
