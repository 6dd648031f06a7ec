/// Explores every order of moves from a world, breadth first, and stops at the first world that breaks a rule.
///
/// Worlds that differ only in names are explored once. Activities in progress always finish, whatever the number of steps. The world
/// limits the number of external events and faults.
struct Explorer {
    struct Report {
        /// The number of distinct worlds.
        var states = 0
        /// The number of moves.
        var moves = 0
        /// The number of orders of moves from the start to a world in which nothing more can happen.
        var paths = 0.0
        /// The number of moves in the longest order.
        var depth = 0
        /// The first rule that was broken, and the shortest sequence of moves that breaks it.
        var violation: String?
        var trace: [ModelWorld.Move] = []
    }

    private let mint: CredentialMint

    init() throws {
        mint = try CredentialMint()
    }

    func explore(_ first: (CredentialMint) -> ModelWorld) -> Report {
        let world = first(mint)
        var frontier = [(index: 0, world: world)]
        var known = [world.fingerprint: 0]
        var origins: [(parent: Int, move: ModelWorld.Move)?] = [nil]
        var successors: [[Int]] = [[]]
        var report = Report()
        while !frontier.isEmpty {
            var next: [(index: Int, world: ModelWorld)] = []
            for (index, world) in frontier {
                for move in world.moves {
                    var changed = world
                    changed.make(move, mint)
                    report.moves += 1
                    if let violation = changed.violation {
                        report.violation = violation
                        report.states = known.count
                        report.trace = trace(to: index, origins) + [move]
                        return report
                    }
                    let fingerprint = changed.fingerprint
                    if let seen = known[fingerprint] {
                        successors[index].append(seen)
                        continue
                    }
                    known[fingerprint] = origins.count
                    successors[index].append(origins.count)
                    next.append((origins.count, changed))
                    origins.append((index, move))
                    successors.append([])
                }
            }
            frontier = next
        }
        report.states = known.count
        (report.paths, report.depth) = paths(successors)
        return report
    }

    private func trace(to index: Int, _ origins: [(parent: Int, move: ModelWorld.Move)?]) -> [ModelWorld.Move] {
        var trace: [ModelWorld.Move] = []
        var index = index
        while let (parent, move) = origins[index] {
            trace.append(move)
            index = parent
        }
        return trace.reversed()
    }

    /// Counts the orders of moves that lead to worlds in which nothing more can happen. A cycle would make the number infinite, and is
    /// reported.
    private func paths(_ successors: [[Int]]) -> (paths: Double, depth: Int) {
        var counts = [Double](repeating: -1, count: successors.count)
        var depths = [Int](repeating: 0, count: successors.count)
        var isOpen = [Bool](repeating: false, count: successors.count)
        var stack = [0]
        while let index = stack.last {
            if isOpen[index] || counts[index] >= 0 {
                stack.removeLast()
                guard counts[index] < 0 else { continue }
                isOpen[index] = false
                counts[index] = successors[index].isEmpty ? 1 : successors[index].reduce(0) { $0 + counts[$1] }
                depths[index] = successors[index].map { depths[$0] + 1 }.max() ?? 0
                continue
            }
            isOpen[index] = true
            for successor in successors[index] where counts[successor] < 0 {
                if isOpen[successor] { return (.infinity, .max) }
                stack.append(successor)
            }
        }
        return (counts[0], depths[0])
    }
}
