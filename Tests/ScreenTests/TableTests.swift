import Screen
import TestSupport
import Testing

@Suite struct TableTests {
  static func table(selected: String? = nil, offset: Int = 0, count: Int = 4) -> Table {
    Table(
      columns: [
        TableColumn("Line", minimum: 6, maximum: 8),
        TableColumn("Product", minimum: 7, maximum: 20, priority: 2),
        TableColumn("Paid", minimum: 6, align: .right, priority: 1),
      ],
      rows: (1...max(1, count)).prefix(count).map {
        TableRow(
          id: "id\($0)",
          [StyledText("100\($0)"), StyledText("app.monthly.\($0)", .dim), StyledText("\($0).99", .money)])
      },
      selected: selected, offset: offset, sort: SortMark(column: 2, isDescending: true), emptyText: "no lines"
    )
  }

  @Test func `titles, rows, alignment, the mark of the sort and the selection`() {
    let canvas = picture(34, 4) { canvas, rect in Self.table(selected: "id2").draw(on: &canvas, in: rect) }
    #expect(
      canvas.text() == [
        "Line      Product            ▼Paid",
        "1001      app.monthly.1       1.99",
        "1002      app.monthly.2       2.99",
        "1003      app.monthly.3       3.99",
      ])
    #expect(
      canvas.styleText() == [
        "hhhh      hhhhhhh            hhhhh",
        "....      ddddddddddddd       mmmm",
        "ssssssssssssssssssssssssssssssssss",
        "....      ddddddddddddd       mmmm",
      ])
  }

  @Test func `an id that has no room keeps both ends, more of the second`() {
    let table = Table(
      columns: [TableColumn("User", minimum: 9, cut: .middle)],
      rows: ["user-001291", "user-001292", "user-1", "héllo-wörld-1"].map {
        TableRow(id: $0, [StyledText($0)])
      })
    let canvas = picture(9, 5) { canvas, rect in table.draw(on: &canvas, in: rect) }
    #expect(canvas.text() == ["User", "us…001291", "us…001292", "user-1", "hé…örld-1"])
    let narrow = picture(1, 2) { canvas, rect in table.draw(on: &canvas, in: rect) }
    #expect(narrow.text() == ["…", "…"])
  }

  @Test(arguments: [(4, true, "\u{25BC}Co…"), (9, false, "Converted"), (10, true, "\u{25BC}Converted")])
  func `a title is cut where it has no room`(_ room: Int, _ isSorted: Bool, _ expected: String) {
    let table = Table(
      columns: [TableColumn("Converted", minimum: 5, maximum: 10, align: .right)], rows: [],
      sort: isSorted ? SortMark(column: 0, isDescending: true) : nil)
    let canvas = picture(room, 1) { canvas, rect in table.draw(on: &canvas, in: rect) }
    #expect(canvas.text() == [expected])
  }

  @Test(arguments: [
    (25, ["Line      Product   ▼Paid", "1001      app.mo…    1.99"]),
    (22, ["Line       ▼Paid", "1001        1.99"]),
    (13, ["Line", "1001"]),
    (3, ["Li…", "10…"]),
  ])
  func `columns are dropped whole, the least important first`(_ columns: Int, _ expected: [String]) {
    let canvas = picture(columns, 2) { canvas, rect in Self.table().draw(on: &canvas, in: rect) }
    #expect(canvas.text() == expected)
  }

  @Test(arguments: [
    (60, [0: 6, 1: 20, 2: 6, 3: 22]),
    (36, [0: 6, 1: 20, 2: 6]),
    (26, [0: 6, 1: 10, 2: 6]),
    (23, [0: 6, 1: 7, 2: 6]),
    (12, [0: 6, 1: 4]),
    (11, [0: 6]),
  ])
  func `columns get their minimum by priority, then grow, and bars take what is left`(
    _ room: Int, _ widths: [Int: Int]
  ) {
    let columns = [
      TableColumn("When", minimum: 6), TableColumn("Name", minimum: 4, maximum: 20, priority: 1),
      TableColumn("Store", minimum: 6, priority: 2), TableColumn("", minimum: 8, maximum: 64, isBar: true),
    ]
    let placed = TableColumn.place(columns, in: room)
    #expect(Dictionary(uniqueKeysWithValues: placed.map { ($0.index, $0.width) }) == widths)
  }

  @Test(
    arguments: [
      (1, 0, 3, 0),
      (3, 0, 3, 0),
      (4, 0, 3, 1),
      (10, 0, 3, 7),
      (2, 5, 3, 1),
      (6, 5, 3, 5),
      (nil, 99, 3, 7),
      (nil, -5, 3, 0),
      (99, 2, 3, 2),
      (10, 0, 99, 0),
      (5, 0, 0, 0),
    ] as [(Int?, Int, Int, Int)])
  func `the selection is always among the rows shown`(
    _ selected: Int?, _ offset: Int, _ visible: Int, _ expected: Int
  ) {
    let table = Self.table(selected: selected.map { "id\($0)" }, offset: offset, count: 10)
    #expect(table.scrolledOffset(visible: visible) == expected)
  }

  @Test func `moving the selection stays within the table`() {
    let table = Self.table(selected: "id5", count: 10)
    #expect(table.selection(movedBy: 1) == "id6")
    #expect(table.selection(movedBy: -2) == "id3")
    #expect(table.selection(movedBy: 100) == "id10")
    #expect(table.selection(movedBy: .min) == "id1")
    #expect(table.selection(movedBy: .max) == "id10")
    #expect(Self.table(selected: "gone", count: 10).selection(movedBy: 3) == "id1")
    #expect(Self.table(count: 0).selection(movedBy: 1) == nil)
  }

  @Test func `a click finds its row and its title`() {
    let table = Self.table(selected: "id10", count: 10)
    let rect = Rect(column: 2, row: 1, columns: 34, rows: 4)
    #expect(table.row(at: Point(column: 5, row: 2), in: rect)?.id == "id8")
    #expect(table.row(at: Point(column: 5, row: 4), in: rect)?.id == "id10")
    #expect(table.row(at: Point(column: 5, row: 1), in: rect) == nil)
    #expect(table.row(at: Point(column: 5, row: 5), in: rect) == nil)
    #expect(table.title(at: Point(column: 2, row: 1), in: rect) == 0)
    #expect(table.title(at: Point(column: 12, row: 1), in: rect) == 1)
    #expect(table.title(at: Point(column: 35, row: 1), in: rect) == 2)
    #expect(table.title(at: Point(column: 12, row: 2), in: rect) == nil)
  }

  @Test func `the footer counts rows`() {
    #expect(Self.table(count: 10).footer(visible: 4) == "1–4 of 10")
    #expect(
      Self.table(selected: "id10", count: 10).footer(visible: 4, total: 1_234_567) == "7–10 of 1,234,567")
    #expect(Self.table(count: 3).footer(visible: 10, in: .ascii) == "1-3 of 3")
    #expect(Self.table(count: 0).footer(visible: 10) == "0 of 0")
  }

  @Test func `an empty table says so, and rows with too few cells are drawn as far as they go`() {
    let empty = picture(20, 3) { canvas, rect in Self.table(count: 0).draw(on: &canvas, in: rect) }
    #expect(empty.text() == ["Line       ▼Paid", "no lines", ""])
    var table = Self.table(count: 1)
    table.rows = [TableRow(id: "x", ["only"])]
    let short = picture(20, 2) { canvas, rect in table.draw(on: &canvas, in: rect) }
    #expect(short.text() == ["Line       ▼Paid", "only"])
  }
}
