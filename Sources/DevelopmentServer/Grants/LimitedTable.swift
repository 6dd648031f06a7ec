/// A dictionary that removes its oldest entries when it is full, so that many requests cannot exhaust the memory.
struct LimitedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private var values: [Key: Value] = [:]
    private var order: [Key] = []

    init(limit: Int) {
        self.limit = limit
    }

    subscript(key: Key) -> Value? {
        get { values[key] }
        set {
            if let newValue {
                if values.updateValue(newValue, forKey: key) == nil { order.append(key) }
                if order.count > limit { forgetOldest() }
            } else if values.removeValue(forKey: key) != nil {
                order.removeAll { $0 == key }
            }
        }
    }

    /// Changes every value in place.
    mutating func updateAll(_ change: (inout Value) -> Void) {
        for key in order {
            if var value = values[key] {
                change(&value)
                values[key] = value
            }
        }
    }

    /// Removes a quarter of the entries at a time, to spread the cost.
    private mutating func forgetOldest() {
        let count = max(1, limit / 4)
        for key in order.prefix(count) { values[key] = nil }
        order.removeFirst(count)
    }
}
