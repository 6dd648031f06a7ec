/// Waits until a condition holds that cannot be observed otherwise.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
