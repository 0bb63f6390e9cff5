/// A reader of the OpenMetrics text format (OpenMetrics 1.0), as strict as the format is.
struct OpenMetrics {
  struct Sample: Hashable {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  private(set) var samples: [Sample] = []
  /// What the text does that the format forbids.
  private(set) var complaints: [String] = []
  private var described: [String: Set<String>] = [:]
  private var closed: Set<String> = []
  private var family: String?

  init(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.suffix(2) != ["# EOF", ""] { complaints.append("it does not end with # EOF and a line break") }
    for line in lines.dropLast(2) { read(String(line)) }
  }

  func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
    samples.first { $0.name == name && $0.labels == labels }?.value
  }

  private mutating func read(_ line: String) {
    if line.hasPrefix("# ") { describe(line) } else { sample(line) }
  }

  private mutating func describe(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    guard words.count == 4, ["HELP", "TYPE", "UNIT"].contains(words[1]), Self.isName(words[2]) else {
      return complaints.append("no descriptor: \(line)")
    }
    let (kind, name) = (words[1], words[2])
    if name != family { begin(name) }
    if samples.contains(where: { $0.name == name }) { complaints.append("\(kind) after a sample: \(name)") }
    if !described[name, default: []].insert(kind).inserted { complaints.append("a second \(kind): \(name)") }
    if kind == "TYPE", words[3] != "gauge" { complaints.append("not a gauge: \(name)") }
  }

  private mutating func begin(_ name: String) {
    if let family { closed.insert(family) }
    if closed.contains(name) { complaints.append("a family in two places: \(name)") }
    family = name
  }

  private mutating func sample(_ line: String) {
    var rest = line[...]
    let name = String(rest.prefix { $0 != "{" && $0 != " " })
    rest.removeFirst(name.count)
    var labels: [String: String] = [:]
    if rest.hasPrefix("{") {
      guard let read = Self.labels(&rest) else { return complaints.append("bad labels: \(line)") }
      labels = read
    }
    guard rest.hasPrefix(" "), let value = Double(rest.dropFirst()), Self.isName(name) else {
      return complaints.append("no sample: \(line)")
    }
    if name != family || described[name] != ["HELP", "TYPE"] {
      complaints.append("a sample before its HELP and TYPE: \(line)")
    }
    if samples.contains(where: { $0.name == name && $0.labels == labels }) {
      complaints.append("twice: \(line)")
    }
    samples.append(Sample(name: name, labels: labels, value: value))
  }

  /// `{name="value",…}`, with the escapes that the format has.
  private static func labels(_ rest: inout Substring) -> [String: String]? {
    var labels: [String: String] = [:]
    while rest.first == "{" || rest.first == "," {
      rest.removeFirst()
      let name = String(rest.prefix { $0 != "=" })
      rest.removeFirst(name.count)
      guard isName(name), rest.hasPrefix("=\""), labels[name] == nil else { return nil }
      rest.removeFirst(2)
      var value = ""
      while let character = rest.popFirst(), character != "\"" {
        guard character == "\\" else {
          value.append(character)
          continue
        }
        guard let plain = ["\\": "\\", "\"": "\"", "n": "\n"][rest.popFirst() ?? " "] else { return nil }
        value += plain
      }
      labels[name] = value
    }
    return rest.popFirst() == "}" ? labels : nil
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first.properties.isAlphabetic || first == "_" else {
      return false
    }
    return name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0))
    }
  }
}
