/// Strict parser of the subset of OpenMetrics 1.0 that `subtop` writes: gauges.
struct OpenMetrics {
  private var values: [String: Double] = [:]
  private(set) var complaints: [String] = []

  var count: Int { values.count }

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.suffix(2) != ["# EOF", ""] { complaints.append("it does not end with # EOF and a line break") }
    var described: [String: Set<String>] = [:]
    var family = ""
    for line in lines.dropLast(2) {
      if let match = line.wholeMatch(of: /# (HELP|TYPE) ([a-z_0-9]+) (.+)/) {
        let (kind, name) = (String(match.1), String(match.2))
        if name != family, described[name] != nil { complaints.append("a family in two places: \(name)") }
        family = name
        if !described[name, default: []].insert(kind).inserted { complaints.append("a second one: \(line)") }
        if kind == "TYPE", match.3 != "gauge" { complaints.append("not a gauge: \(name)") }
      } else if let match = line.wholeMatch(
        of:
          /([a-z_0-9]+)((?:\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*\})?) ([-+.0-9e]+)/
      ),
        let value = Double(match.3)
      {
        if match.1 != family || described[family] != ["HELP", "TYPE"] {
          complaints.append("a sample before its HELP and TYPE: \(line)")
        }
        if values.updateValue(value, forKey: String(match.1 + match.2)) != nil {
          complaints.append("twice: \(line)")
        }
      } else {
        complaints.append("neither a descriptor nor a sample: \(line)")
      }
    }
  }

  func value(_ series: String) -> Double? { values[series] }
}
