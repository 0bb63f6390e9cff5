import Screen

/// Writer of the OpenMetrics 1.0 text format.
struct OpenMetricsWriter {
  private var text = ""

  /// Text with the final line, which shows that it is complete.
  var ended: String { text + "# EOF\n" }

  mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    describe(name, help, "gauge")
    text += "\(name) \(Self.number(value))\n"
  }

  mutating func gauges(_ name: String, _ help: String, label: String, _ counts: [(String, Int)]) {
    gauges(name, help, label: label, values: counts.map { ($0.0, Double($0.1)) })
  }

  /// Writes a family, unless it has no members.
  mutating func gauges(_ name: String, _ help: String, label: String, values: [(String, Double)]) {
    guard !values.isEmpty else { return }
    describe(name, help, "gauge")
    for (member, value) in values {
      text += "\(name){\(label)=\"\(Self.escaped(member))\"} \(Self.number(value))\n"
    }
  }

  mutating func counters(_ name: String, _ help: String, _ values: [(labels: [(String, String)], Int)]) {
    guard !values.isEmpty else { return }
    describe(name, help, "counter")
    for (labels, value) in values {
      let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
      text += "\(name)_total\(pairs.isEmpty ? "" : "{\(pairs)}") \(value)\n"
    }
  }

  /// - Parameters:
  ///   - bounds: Upper bounds.
  ///   - counts: Counts per bucket; the last one is above all bounds.
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

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }

  /// Escapes backslashes, quotes and line breaks. The format does not allow other control characters.
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
