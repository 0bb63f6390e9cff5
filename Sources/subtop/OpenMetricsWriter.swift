import Screen

/// Lines of the OpenMetrics text format (OpenMetrics 1.0).
struct OpenMetricsWriter {
  private var text = ""

  /// The format ends with this line, so that half a file is noticed.
  var ended: String { text + "# EOF\n" }

  mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    describe(name, help, "gauge")
    text += "\(name) \(Self.number(value))\n"
  }

  mutating func gauges(_ name: String, _ help: String, label: String, _ counts: [(String, Int)]) {
    gauges(name, help, label: label, values: counts.map { ($0.0, Double($0.1)) })
  }

  /// Nothing is said of a family without members.
  mutating func gauges(_ name: String, _ help: String, label: String, values: [(String, Double)]) {
    guard !values.isEmpty else { return }
    describe(name, help, "gauge")
    for (member, value) in values {
      text += "\(name){\(label)=\"\(Self.escaped(member))\"} \(Self.number(value))\n"
    }
  }

  /// - Parameter values: with their labels' names and values.
  mutating func counters(_ name: String, _ help: String, _ values: [(labels: [(String, String)], Int)]) {
    guard !values.isEmpty else { return }
    describe(name, help, "counter")
    for (labels, value) in values {
      let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      text += "\(name)_total\(pairs.isEmpty ? "" : "{\(pairs)}") \(value)\n"
    }
  }

  /// - Parameters:
  ///   - bounds: upper ones.
  ///   - counts: between them, the last of all that lies above.
  mutating func histogram(_ name: String, _ help: String, bounds: [Double], counts: [Int], sum: Double) {
    describe(name, help, "histogram")
    var below = 0
    for (bound, count) in zip(bounds.map { "\($0)" } + ["+Inf"], counts) {
      below += count
      text += "\(name)_bucket{le=\"\(bound)\"} \(below)\n"
    }
    text += "\(name)_count \(below)\n\(name)_sum \(Self.number(sum))\n"
  }

  private mutating func describe(_ name: String, _ help: String, _ type: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  /// Whole numbers without a fraction.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  /// Backslash, quote and line break as the format escapes them; other control characters have no place in it.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar.isCommanding ? "?" : scalar)
      }
    }
    return escaped
  }
}
