import Screen
import Testing

@Suite struct SeriesChartTests {
  private func draw(
    _ columns: Int, _ rows: Int, _ values: [Double?], _ kind: SeriesChart.Kind, _ glyphs: GlyphSet = .unicode,
    top: String = "", bottom: String = "", times: [String] = []
  ) -> [String] {
    picture(columns, rows, glyphs) { canvas, rect in
      SeriesChart(values, kind, .accent, top: top, bottom: bottom, times: times).draw(on: &canvas, in: rect)
    }.text()
  }

  struct Columns: CustomTestStringConvertible {
    let name: String
    let columns: Int
    let values: [Double?]
    let drawn: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Columns(name: "a cell each", columns: 4, values: [8, 4, 0, 2], drawn: "█▄ ▂"),
    Columns(name: "as wide as the room allows", columns: 8, values: [8, 4, 0, 2], drawn: "██▄▄  ▂▂"),
    Columns(
      name: "to the last cell, also where it does not divide", columns: 7, values: [8, 4, 2], drawn: "███▄▄▂▂"
    ),
    Columns(
      name: "apart from each other in a wide room", columns: 12, values: [8, 4, 0, 2], drawn: "██ ▄▄    ▂▂▂"),
    Columns(
      name: "the greatest of those that share a cell", columns: 3, values: [0, 1, 8, 0, 0, 4], drawn: "▁█▄"),
    Columns(name: "the newest is never left out", columns: 2, values: [0, 0, 0, 0, 8], drawn: " █"),
    Columns(
      name: "what is unknown and what is nothing are blank", columns: 3, values: [nil, 0, 8], drawn: "  █"),
    Columns(name: "nothing at all", columns: 3, values: [0, 0, 0], drawn: ""),
    Columns(name: "nothing known", columns: 3, values: [nil, nil], drawn: ""),
  ])
  func columnsStandFromZero(_ one: Columns) {
    #expect(draw(one.columns, 1, one.values, .columns) == [one.drawn])
  }

  @Test func aLineGoesFromTheLeastToTheGreatest() {
    let rising = draw(4, 2, [1, 2, 3, 4, 5, 6, 7, 8], .line)
    #expect(rising[0].count == 4 && rising[0].hasPrefix("  "), "the upper half at the right")
    #expect(rising[1].count == 2 && !rising[1].hasPrefix(" "), "the lower half at the left")
    #expect(draw(4, 1, [1, 1, 1, 1], .line) == ["⠒⠒⠒⠒"])
    #expect(draw(4, 1, [0, 1, 2, 3], .line, .ascii) == [".--'"])
    #expect(draw(6, 1, [nil, nil, 2, 3, nil, nil], .line, .ascii).first?.contains("'") == true)
  }

  @Test func theScaleStandsLeftAndTheTimesBelow() {
    let lines = draw(
      24, 4, [1, 2, 3], .columns, .ascii, top: "3", bottom: "0", times: ["first", "middle", "last"])
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("3 ") && lines[2].hasPrefix("0 "))
    #expect(lines[3] == "  first   middle    last")
    let narrow = draw(
      14, 4, [1, 2, 3], .columns, .ascii, top: "3", bottom: "0", times: ["first", "middle", "last"])
    #expect(narrow[3] == "  first   last")
    let flat = draw(12, 4, [5, 5, 5], .line, .ascii, top: "5", bottom: "5", times: ["a", "b"])
    #expect(flat.filter { $0.hasPrefix("5") }.count == 1)
  }
}
