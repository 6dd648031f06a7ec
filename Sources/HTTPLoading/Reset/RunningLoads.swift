/// The requests in progress in a chain. Each has a unique index, so that adding and removing one needs no search.
struct RunningLoads {
    /// Index 0. A server has many chains with at most one request at a time, which need no memory beyond this property.
    private var first: RunningLoad?
    /// The requests with index 1 and above.
    private var others: [RunningLoad?] = []
    private var free: [Int] = []

    var count: Int { (first == nil ? 0 : 1) + others.count - free.count }
    var isEmpty: Bool { count == 0 }
    var all: [RunningLoad] { ([first] + others).compactMap { $0 } }

    mutating func begin(in epoch: Epoch) -> RunningLoad {
        if first == nil {
            let load = RunningLoad(place: 0, epoch: epoch)
            first = load
            return load
        }
        guard let place = free.popLast() else {
            let load = RunningLoad(place: others.count + 1, epoch: epoch)
            others.append(load)
            return load
        }
        let load = RunningLoad(place: place, epoch: epoch)
        others[place - 1] = load
        return load
    }

    /// Removes a request; has no effect if it is not here any more.
    mutating func remove(_ load: RunningLoad) {
        guard load.place > 0 else {
            if first === load { first = nil }
            return
        }
        guard others[load.place - 1] === load else { return }
        others[load.place - 1] = nil
        free.append(load.place)
    }
}
