import Screen
import TestSupport
import Testing

@Suite struct HeatMapTests {
  /// Three cohorts over four months, with full, partial and future cells.
  static func map(selected: HeatMap.Place? = nil, firstRow: Int = 0, firstColumn: Int = 0) -> HeatMap {
    let rows = (0..<3).map { row in
      HeatMap.Row(
        id: "m\(row)", heads: [StyledText("2026-0\(row + 1)"), StyledText("\(120 - row)")],
        cells: (0..<4 - row).map { column in
          let percent = 100 - column * 30
          return HeatMap.Cell(
            "\(percent)", share: Double(percent) / 100, isUnfinished: row > 0 && column == 3 - row)
        })
    }
    let feet = [
      HeatMap.Row(
        id: "average", heads: ["average"],
        cells: [100, 70, 40, 10].map { .init("\($0)", share: Double($0) / 100) }),
      HeatMap.Row(id: "of", heads: ["cohorts"], cells: ["3", "2", "1", "1"].map { .init($0) }),
    ]
    return HeatMap(
      headings: ["Month", "Size"], titles: ["0", "1", "2", "3"], rows: rows, feet: feet, selected: selected,
      firstRow: firstRow, firstColumn: firstColumn)
  }

  private func draw(
    _ columns: Int, _ rows: Int, _ glyphs: GlyphSet = .unicode, _ map: HeatMap = map()
  )
    -> Canvas
  {
    picture(columns, rows, glyphs) { canvas, rect in map.draw(on: &canvas, in: rect) }
  }

  @Test func fullCellsAreShadedAndPartialCellsMarked() {
    let canvas = draw(34, 6)
    let styles = canvas.styleText()
    #expect(styles[1].hasSuffix("77777555553333300000"), "from everything to nothing, to the cells' edges")
    #expect(styles[2].hasSuffix("7777755555" + "  ddd"), "what is not full has no shade")
    #expect(!styles[5].contains("7"), "how many there are is no share")
  }

  @Test(
    arguments: [
      (
        "the last column is chosen", 26, 4, .init(row: "m0", column: 3), 0, 0,
        ["Month    Size ←  2    3", "2026-01   120   40 [ 10]", "2026-02   119   40›", "2026-03   118"]
      ),
      (
        "more stands at the right", 26, 4, nil, 0, 0,
        [
          "Month    Size    0    1→", "2026-01   120  100   70", "2026-02   119  100   70",
          "2026-03   118  100   70›",
        ]
      ),
      (
        "the last row is chosen", 26, 2, .init(row: "m2", column: 0), 0, 0,
        ["Month    Size    0    1→", "2026-03   118 [100]  70›"]
      ),
      (
        "a place further on is kept", 26, 3, nil, 1, 1,
        ["Month    Size ←  1    2→", "2026-02   119   70   40›", "2026-03   118   70›"]
      ),
      (
        "never beyond the end", 26, 3, nil, 9, 9,
        ["Month    Size ←  2    3", "2026-02   119   40›", "2026-03   118"]
      ),
      (
        "the size goes where it leaves the cells too little", 18, 3, nil, 0, 0,
        ["Month      0    1→", "2026-01  100   70", "2026-02  100   70"]
      ),
      (
        "one foot where there is room for no more", 34, 5, nil, 0, 0,
        [
          "Month    Size    0    1    2    3", "2026-01   120  100   70   40   10",
          "2026-02   119  100   70   40›", "2026-03   118  100   70›", "average        100   70   40   10",
        ]
      ),
    ] as [(String, Int, Int, HeatMap.Place?, Int, Int, [String])])
  func headingsStayWhileItScrolls(
    _ testDescription: String, _ columns: Int, _ rows: Int, _ selected: HeatMap.Place?, _ firstRow: Int,
    _ firstColumn: Int, _ lines: [String]
  ) {
    let map = Self.map(selected: selected, firstRow: firstRow, firstColumn: firstColumn)
    #expect(draw(columns, rows, .unicode, map).text() == lines)
  }

  @Test func shadesAreDrawnWithoutColoursIfThereIsRoom() {
    var wide = Self.map()
    wide.titles = (0..<7).map(String.init)
    let canvas = draw(64, 4, GlyphSet.unicode.withoutColours, wide)
    #expect(canvas.text()[1] == "2026-01   120 ██100 ▓▓ 70 ▒▒ 40    10")
    #expect(
      draw(34, 6, GlyphSet.unicode.withoutColours).text() == draw(34, 6).text(), "else the number alone")
    let ascii = draw(64, 4, GlyphSet.ascii.withoutColours, wide).text()
    #expect(ascii[1] == "2026-01   120 ##100 ++ 70 -- 40    10")
    #expect(ascii[2] == "2026-02   119 ##100 ++ 70    40>")
    #expect(draw(34, 6, .ascii).text()[1] == draw(34, 6).text()[1], "colours show it in ASCII too")
  }

  @Test func theSelectedCellIsMarkedWithoutColours() {
    let canvas = draw(34, 6, .unicode, Self.map(selected: .init(row: "m1", column: 1)))
    #expect(canvas.text()[2] == "2026-02   119  100 [ 70]  40›")
    #expect(canvas.styleText()[2].contains("sssss"))
    let blank = draw(34, 6, .unicode, Self.map(selected: .init(row: "m2", column: 3)))
    #expect(blank.text()[3] == "2026-03   118  100   70›     [   ]")
  }

  @Test(arguments: [
    (-1.0, 0), (0, 0), (0.124, 0), (0.125, 1), (0.5, 4), (0.875, 7), (1, 7), (1.7, 7), (.nan, 0),
    (.infinity, 0),
  ])
  func aShareHasAStep(_ share: Double, _ step: Int) {
    #expect(Style.heat(share) == Style(Role.heat[step]))
  }

  @Test func hitTestingMatchesTheDrawing() {
    let map = Self.map(firstColumn: 1)
    let rect = Rect(column: 2, row: 1, columns: 29, rows: 6)
    func place(_ column: Int, _ row: Int) -> HeatMap.Place? {
      map.place(at: Point(column: column, row: row), in: rect, glyphs: .unicode)
    }
    #expect(place(16, 2) == .init(row: "m0", column: 1))
    #expect(place(20, 2) == .init(row: "m0", column: 1) && place(21, 2) == .init(row: "m0", column: 2))
    #expect(place(26, 3) == nil, "where there is no cell")
    #expect(place(16, 1) == nil && place(4, 2) == nil && place(16, 5) == nil && place(99, 2) == nil)
  }
}
