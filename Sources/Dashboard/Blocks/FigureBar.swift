import Screen

struct FigureBar: Hashable, Sendable {
  var bar: Bar
  var opening: Opening?
}

struct Share {
  let name: String
  let count: Int
  let style: Style
  let opening: Opening?

  init(_ name: String, _ count: Int, _ style: Style, opening: Opening? = nil) {
    self.name = name
    self.count = count
    self.style = style
    self.opening = opening
  }

  init(_ name: String, _ count: Int, _ style: Style, opens figure: String) {
    self.init(name, count, style, opening: .rows(Breakdown(figure)))
  }
}

extension [FigureBar] {
  /// Returns bars with counts and shares of one whole.
  ///
  /// - Parameter whole: The sum of the parts if `nil`; greater if some parts are not shown.
  static func shares(_ parts: [Share], of whole: Int? = nil) -> [FigureBar] {
    let whole = whole ?? parts.reduce(0) { $0 + $1.count }
    let counts = CountText.aligned(parts.map(\.count))
    let shares = parts.map { PercentText.of($0.count, in: whole, unknown: "") }
    let width = shares.map(\.count).max() ?? 0
    return parts.indices.map { index in
      let padding = String(repeating: " ", count: width - shares[index].count)
      return parts[index].bar("\(counts[index])  \(padding)\(shares[index])")
    }
  }

  static func counts(_ parts: [Share]) -> [FigureBar] {
    parts.map { $0.bar(CountText.of($0.count)) }
  }
}

extension Share {
  fileprivate func bar(_ text: String) -> FigureBar {
    FigureBar(
      bar: Bar(label: TextSpan(name, count == 0 ? .dim : .text), value: Double(count), text: text, style),
      opening: opening)
  }
}
