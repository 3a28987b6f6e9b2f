/// How many faults were injected where, and which of them broke a promise.
struct FaultReport {
  private struct Line {
    var positions: Set<Int> = []
    var runs = 0
    var broken = 0
  }
  private var lines: [String: [String: Line]] = [:]
  private var faults: [String] = []
  private(set) var broken: [String] = []
  private(set) var runs = 0

  /// Notes one run.
  ///
  /// - Parameter problems: What was not as promised; empty when all was.
  mutating func add(target: String, fault: String, position: Int, problems: [String]) {
    runs += 1
    if !faults.contains(fault) { faults.append(fault) }
    lines[target, default: [:]][fault, default: Line()].runs += 1
    lines[target]?[fault]?.positions.insert(position)
    if problems.isEmpty { return }
    lines[target]?[fault]?.broken += 1
    broken.append("\(target), \(fault) at call \(position): \(problems.joined(separator: "; "))")
  }

  /// A table, one line for each fault and target.
  func text(_ title: String) -> String {
    var text = "\(title)\n"
    text += row("target", "fault", "positions", "runs", "broken")
    for target in lines.keys.sorted() {
      for fault in faults {
        guard let line = lines[target]?[fault] else { continue }
        text += row(
          target, fault, "\(line.positions.count)", "\(line.runs)", "\(line.broken)")
      }
    }
    text += "\(runs) runs, \(broken.count) broken\n"
    return text
  }

  private func row(_ cells: String...) -> String {
    let widths = [30, 38, 10, 7, 7]
    return zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: max(1, width - cell.count))
    }.joined() + "\n"
  }
}
