import Screen
import Testing

@Suite struct ColumnGroupsTests {
  static let groups = ColumnGroups(
    labels: ["1", "7", "30"],
    series: [
      .init("now", [0.25, 0.5, 1], texts: ["25", "50", "99"], .accent),
      .init("before", [0.5, nil, 0], texts: ["50", "", "0"], .dim),
    ])

  private func draw(_ columns: Int, _ rows: Int, _ glyphs: GlyphSet = .unicode) -> Canvas {
    picture(columns, rows, glyphs) { canvas, rect in Self.groups.draw(on: &canvas, in: rect) }
  }

  @Test func theyAreToldApartWithoutColours() {
    let ascii = draw(15, 7, .ascii).text()
    #expect(ascii[4].hasPrefix("##::") && ascii[6].hasPrefix("# now   : bef"))
  }

  @Test func numbersStandAboveAsManyColumnsAsTheyCanBeToldApartOver() {
    #expect(draw(24, 7).text()[2].hasPrefix("   50   50"), "of each series")
    #expect(draw(9, 7).text().allSatisfy { !$0.contains("50") }, "of none")
    #expect(draw(9, 7).text()[4].hasPrefix("█▒"))
  }

  @Test func aColumnThatIsHigherThanTheFirstHasItsNumberInANarrowRoomToo() {
    let groups = ColumnGroups(
      labels: ["1", "7", "30"],
      series: [
        .init("now", [nil, 0, 1], texts: ["", "0", "99"], .accent),
        .init("before", [0, 0.75, 0.75], texts: ["0", "75", "75"], .dim),
      ])
    let drawn = picture(15, 7) { canvas, rect in groups.draw(on: &canvas, in: rect) }
    #expect(
      drawn.text().prefix(5) == [
        "          99", "       75 ██", "       ▒▒ ██▒▒", "       ▒▒ ██▒▒", "  0  0 ▒▒ ██▒▒",
      ])
  }
}
