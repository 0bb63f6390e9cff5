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

  @Test(
    arguments: [
      ("a cell each", 4, [8, 4, 0, 2], "█▄ ▂"),
      ("as wide as the room allows", 8, [8, 4, 0, 2], "██▄▄  ▂▂"),
      ("to the last cell, also where it does not divide", 7, [8, 4, 2], "███▄▄▂▂"),
      ("apart from each other in a wide room", 12, [8, 4, 0, 2], "██ ▄▄    ▂▂▂"),
      ("the greatest of those that share a cell", 3, [0, 1, 8, 0, 0, 4], "▁█▄"),
      ("the newest is never left out", 2, [0, 0, 0, 0, 8], " █"),
      ("what is unknown and what is nothing are blank", 3, [nil, 0, 8], "  █"),
      ("nothing at all", 3, [0, 0, 0], ""),
      ("nothing known", 3, [nil, nil], ""),
    ] as [(String, Int, [Double?], String)])
  func columnsStartAtZero(_ name: String, _ columns: Int, _ values: [Double?], _ drawn: String) {
    #expect(draw(columns, 1, values, .columns) == [drawn])
  }

  @Test func aLineGoesFromTheLeastToTheGreatest() {
    let rising = draw(4, 2, [1, 2, 3, 4, 5, 6, 7, 8], .line)
    #expect(rising[0].count == 4 && rising[0].hasPrefix("  "), "the upper half at the right")
    #expect(rising[1].count == 2 && !rising[1].hasPrefix(" "), "the lower half at the left")
    #expect(draw(4, 1, [1, 1, 1, 1], .line) == ["⠒⠒⠒⠒"])
    #expect(draw(4, 1, [0, 1, 2, 3], .line, .ascii) == [".--'"])
    #expect(draw(6, 1, [nil, nil, 2, 3, nil, nil], .line, .ascii).first?.contains("'") == true)
  }

  @Test func theScaleIsLeftAndTheTimesAreBelow() {
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
