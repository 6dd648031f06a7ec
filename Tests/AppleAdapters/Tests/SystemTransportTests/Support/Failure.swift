import HTTPLoading

/// The error that an action throws; nil if it throws none.
func failure(of action: () async throws(LoadError) -> Void) async -> LoadError? {
    do throws(LoadError) {
        try await action()
        return nil
    } catch {
        return error
    }
}

/// The error of a request in a separate task; nil if it gets a response.
func failure(of task: Task<some Sendable, any Error>) async -> LoadError? {
    if case .failure(let error as LoadError) = await task.result { error } else { nil }
}
