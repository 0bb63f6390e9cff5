import Screen
import Testing

/// Views must not trap or draw outside their area at any size.
@Suite struct TinyScreenTests {
  struct Piece: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let draw: @Sendable (inout Canvas, Rect) -> Void

    init(_ name: String, _ draw: @escaping @Sendable (inout Canvas, Rect) -> Void) {
      testDescription = name
      self.draw = draw
    }
  }

  private static func series(_ kind: SeriesChart.Kind) -> SeriesChart {
    SeriesChart(
      [nil, .infinity, -3, 0, 4, .nan], kind, .accent, top: "a long label", bottom: "0", times: ["x", "y"])
  }

  static let pieces = [
    Piece("table") { _ = TableTests.table(selected: "id3", count: 9).draw(on: &$0, in: $1) },
    Piece("empty table") { _ = Table(columns: [], rows: []).draw(on: &$0, in: $1) },
    Piece("sparkline") { Sparkline([1, nil, 3]).draw(on: &$0, in: $1) },
    Piece("line") { series(.line).draw(on: &$0, in: $1) },
    Piece("columns") { series(.columns).draw(on: &$0, in: $1) },
    Piece("bars") { $0.bars(ChartTests.churn, in: $1) },
    Piece("waterfall") {
      Waterfall([
        Waterfall.Step("Start", 4, isLevel: true, text: "4", .accent),
        Waterfall.Step("漢", -2, isLevel: false, text: "-2", .bad),
      ]).draw(on: &$0, in: $1)
    },
    Piece("gauge") { $0.gauge(0.4, caption: "40 %", in: $1) },
    Piece("box") { _ = Box("title", note: "note").draw(on: &$0, in: $1) },
    Piece("toast") { Toast("漢字", .bad).draw(on: &$0, in: $1) },
    Piece("hints") { KeyHints([KeyHint("s", "sweep"), KeyHint("?", "keys")]).draw(on: &$0, in: $1) },
    Piece("no hints") { KeyHints([]).draw(on: &$0, in: $1) },
    Piece("tabs") {
      TabBar(
        ["one", "漢字"].map { TabBar.Tab(key: "1", title: $0, shortTitle: $0) }, selected: 5
      ).draw(on: &$0, in: $1)
    },
    Piece("text") { TextBlock(["漢字 and more"], indent: 2).draw(on: &$0, in: $1) },
    Piece("heat map") { HeatMapTests.map(selected: .init(row: "m2", column: 3)).draw(on: &$0, in: $1) },
    Piece("empty heat map") { HeatMap(headings: [], titles: [], rows: []).draw(on: &$0, in: $1) },
    Piece("prompt") { Prompt(label: "漢/", text: "漢字").draw(on: &$0, in: $1) },
  ]

  static let sizes = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (2, 2), (3, 3), (14, 5)].map {
    Size(columns: $0, rows: $1)
  }

  @Test(arguments: pieces, sizes) func `fits`(_ piece: Piece, _ size: Size) {
    var alone = Canvas(size: size)
    piece.draw(&alone, alone.bounds)
    #expect(alone.text().count == size.rows)

    // In the middle of a larger screen, the cells around the area are unchanged.
    var middle = Canvas(size: Size(columns: size.columns + 4, rows: size.rows + 4))
    middle.fill(middle.bounds, .bad, with: "x")
    let room = Rect(column: 2, row: 2, columns: size.columns, rows: size.rows)
    piece.draw(&middle, room)
    for row in 0..<middle.size.rows {
      for column in 0..<middle.size.columns where !room.contains(Point(column: column, row: row)) {
        #expect(middle[column: column, row: row].text == "x")
      }
    }
  }
}
