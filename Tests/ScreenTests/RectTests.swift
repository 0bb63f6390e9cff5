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

  @Test func `insets and intersections never turn inside out`() {
    let rect = Rect(column: 0, row: 0, columns: 3, rows: 1)
    #expect(rect.inset(columns: 1, rows: 1).isEmpty)
    #expect(rect.intersection(Rect(column: 5, row: 5, columns: 2, rows: 2)).isEmpty)
    #expect(Rect(column: 0, row: 0, columns: -4, rows: -1).isEmpty)
    #expect(Size(columns: -1, rows: 5) == Size(columns: 0, rows: 5))
  }
}
