import Screen
import Testing

@Suite struct RectTests {
  @Test func `pieces come off each side until nothing is left`() {
    var rest = Rect(column: 1, row: 2, columns: 10, rows: 6)
    #expect(rest.cutTop(1) == Rect(column: 1, row: 2, columns: 10, rows: 1))
    #expect(rest.cutBottom(2) == Rect(column: 1, row: 6, columns: 10, rows: 2))
    #expect(rest.cutLeft(3) == Rect(column: 1, row: 3, columns: 3, rows: 3))
    #expect(rest.cutRight(4) == Rect(column: 7, row: 3, columns: 4, rows: 3))
    #expect(rest == Rect(column: 4, row: 3, columns: 3, rows: 3))
    #expect(rest.cutTop(99).rows == 3)
    #expect(rest.isEmpty)
    #expect(rest.cutLeft(-1).isEmpty)
  }

  struct Division: CustomTestStringConvertible {
    let lengths: [Length]
    let room: Int
    let gap: Int
    let expected: [Int]
    var testDescription: String { "\(lengths) of \(room), gap \(gap)" }
  }

  @Test(arguments: [
    Division(lengths: [.cells(3), .share(1), .cells(2)], room: 20, gap: 0, expected: [3, 15, 2]),
    Division(lengths: [.share(2), .share(1)], room: 10, gap: 1, expected: [6, 3]),
    Division(lengths: [.share(1), .share(1), .share(1)], room: 10, gap: 0, expected: [3, 3, 4]),
    Division(lengths: [.cells(8), .cells(8), .share(1)], room: 10, gap: 0, expected: [8, 2, 0]),
    Division(lengths: [.share(0), .cells(1)], room: 4, gap: 0, expected: [0, 1]),
    Division(lengths: [], room: 4, gap: 1, expected: []),
    Division(lengths: [.share(1), .cells(1)], room: 0, gap: 2, expected: [0, 0]),
  ])
  func `a length for each part`(_ division: Division) {
    let columns = Rect(column: 0, row: 0, columns: division.room, rows: 1)
      .split(columns: division.lengths, gap: division.gap)
    #expect(columns.map(\.columns) == division.expected)
    let rows = Rect(column: 0, row: 0, columns: 1, rows: division.room)
      .split(rows: division.lengths, gap: division.gap)
    #expect(rows.map(\.rows) == division.expected)
  }

  @Test func `insets and intersections never turn inside out`() {
    let rect = Rect(column: 0, row: 0, columns: 3, rows: 1)
    #expect(rect.inset(columns: 1, rows: 1).isEmpty)
    #expect(rect.intersection(Rect(column: 5, row: 5, columns: 2, rows: 2)).isEmpty)
    #expect(Rect(column: 0, row: 0, columns: -4, rows: -1).isEmpty)
    #expect(Size(columns: -1, rows: 5).isEmpty)
  }
}
