import Screen
import Subscriptions

/// Chart of a subscription line's periods and the gaps between them, drawn to scale.
struct TimelineChart: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable, CaseIterable {
    case paid, offer, trial, refunded, upgraded, grace
    case retry = "billing retry"
    case unknown

    var isPeriod: Bool { self == .paid || self == .offer || self == .trial }

    var style: Style {
      switch self {
      case .paid: .good
      case .offer: .info
      case .trial: .accent
      case .refunded, .retry: .bad
      case .upgraded, .grace, .unknown: .warn
      }
    }

    func glyph(in glyphs: GlyphSet) -> String {
      switch self {
      case .paid: glyphs.isASCII ? "#" : "█"
      case .offer: glyphs.isASCII ? "=" : "▓"
      case .trial: glyphs.isASCII ? "t" : "▒"
      case .refunded: glyphs.cross
      case .upgraded: glyphs.up
      case .grace: glyphs.isASCII ? "g" : "░"
      case .retry: glyphs.isASCII ? "r" : "╌"
      case .unknown: "?"
      }
    }
  }

  struct Span: Hashable, Sendable {
    var kind: Kind
    var from: Instant
    var until: Instant
  }

  var spans: [Span]
  var now: Instant
  var zone: Zone

  private var from: Instant { min(spans.map(\.from).min() ?? now, now) }
  private var until: Instant { max(spans.map(\.until).max() ?? now, now) }

  /// Returns three rows, or none without spans: the bar, its dates with a mark at `now`, and a legend.
  func lines(columns: Int, in glyphs: GlyphSet) -> [StyledText] {
    guard columns > 0, !spans.isEmpty else { return [] }
    let kinds = kinds(columns: columns)
    let bar = kinds.map { kind in
      kind.map { TextSpan($0.glyph(in: glyphs), $0.style) } ?? TextSpan(glyphs.gap, .dim)
    }
    return [StyledText(bar), axis(columns: columns, in: glyphs), Self.legend(of: Set(kinds), in: glyphs)]
  }

  private func column(of instant: Instant, columns: Int) -> Int {
    let whole = max(1, until - from)
    return Int(Int128(instant - from) * Int128(columns - 1) / Int128(whole))
  }

  private func kinds(columns: Int) -> [Kind?] {
    var kinds = [Kind?](repeating: nil, count: columns)
    for span in spans where span.until >= span.from {
      let first = column(of: span.from, columns: columns)
      // The cell in which a span ends shows the next span. Only the last span keeps that cell.
      let last = max(first, column(of: span.until, columns: columns) - (span.until < until ? 1 : 0))
      for place in first...last { kinds[place] = span.kind }
    }
    return kinds
  }

  private func axis(columns: Int, in glyphs: GlyphSet) -> StyledText {
    let place = column(of: now, columns: columns)
    let (start, end) = (zone.date(from), zone.date(until))
    let mark = glyphs.up + " now"
    var row = [Character](repeating: " ", count: columns)
    func write(_ text: String, at column: Int) {
      let room = column..<column + text.count
      guard column >= 0, room.upperBound <= columns, row[room].allSatisfy({ $0 == " " }) else { return }
      row.replaceSubrange(room, with: Array(text))
    }
    write(start, at: 0)
    write(mark, at: place + mark.count <= columns ? place : columns - mark.count)
    if place < columns, row[place] == " " { row[place] = Character(glyphs.up) }
    if until > now { write(end, at: columns - end.count) }
    return StyledText(String(row), .dim)
  }

  private static func legend(of shown: Set<Kind?>, in glyphs: GlyphSet) -> StyledText {
    let entries = Kind.allCases.filter { shown.contains($0) }.flatMap { kind in
      [TextSpan(kind.glyph(in: glyphs), kind.style), TextSpan(" \(kind.rawValue)   ", .dim)]
    }
    return StyledText(entries + (shown.contains(nil) ? [TextSpan("\(glyphs.gap) gap", .dim)] : []))
  }
}
