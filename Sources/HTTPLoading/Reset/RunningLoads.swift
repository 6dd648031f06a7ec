/// The loads under way in a chain. Each has a place that nobody else has meanwhile, so that coming and going costs no search.
struct RunningLoads {
    /// Place 0. A server has a great many chains with one load at a time, and none most of the time: they need no memory beyond this.
    private var first: RunningLoad?
    /// The places from 1 on.
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

    /// Does nothing for one that has left.
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
