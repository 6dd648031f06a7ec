/// The loads under way in a chain. Each has a place that nobody else has meanwhile, so that coming and going costs no search.
struct RunningLoads {
    private var places: [RunningLoad?] = []
    private var free: [Int] = []

    var count: Int { places.count - free.count }
    var isEmpty: Bool { count == 0 }
    var all: [RunningLoad] { places.compactMap { $0 } }

    mutating func begin(in epoch: Epoch) -> RunningLoad {
        guard let place = free.popLast() else {
            let load = RunningLoad(place: places.count, epoch: epoch)
            places.append(load)
            return load
        }
        let load = RunningLoad(place: place, epoch: epoch)
        places[place] = load
        return load
    }

    /// Does nothing for one that has left.
    mutating func remove(_ load: RunningLoad) {
        guard places[load.place] === load else { return }
        places[load.place] = nil
        free.append(load.place)
    }
}
