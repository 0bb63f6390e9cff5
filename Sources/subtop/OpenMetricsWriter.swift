import Screen

/// Lines of the OpenMetrics text format (OpenMetrics 1.0).
struct OpenMetricsWriter {
  private var text = ""

  /// The format ends with this line, so that half a file is noticed.
  var ended: String { text + "# EOF\n" }

  mutating func gauge(_ name: String, _ help: String, _ value: Double) {
    describe(name, help)
    text += "\(name) \(Self.number(value))\n"
  }

  mutating func gauges(_ name: String, _ help: String, label: String, _ counts: [(String, Int)]) {
    gauges(name, help, label: label, values: counts.map { ($0.0, Double($0.1)) })
  }

  /// Nothing is said of a family without members.
  mutating func gauges(_ name: String, _ help: String, label: String, values: [(String, Double)]) {
    guard !values.isEmpty else { return }
    describe(name, help)
    for (member, value) in values {
      text += "\(name){\(label)=\"\(Self.escaped(member))\"} \(Self.number(value))\n"
    }
  }

  private mutating func describe(_ name: String, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
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
