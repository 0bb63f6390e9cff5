import Screen
import TestSupport
import Testing

@Suite struct CanvasTests {
  @Test func `text lands where it is put and is cut at the edge`() {
    let canvas = picture(12, 3) { canvas, _ in
      canvas.put("hello", column: 2, row: 0)
      canvas.put("a longer text", column: 4, row: 1, .good)
      canvas.put("below", column: 0, row: 3)
      canvas.put("left", column: -2, row: 2)
    }
    #expect(canvas.text() == ["  hello", "    a longe…", "ft"])
    #expect(canvas.styleText() == ["  .....", "    gggggggg", ".."])
  }

  @Test(
    arguments: [
      ("abc", 5, .left, .unicode, "[abc  ]"),
      ("abc", 5, .right, .unicode, "[  abc]"),
      ("abc", 5, .centre, .unicode, "[ abc ]"),
      ("abcdef", 5, .left, .unicode, "[abcd…]"),
      ("abcdef", 5, .right, .unicode, "[abcd…]"),
      ("abcdef", 5, .left, .ascii, "[abcd~]"),
      ("abcdef", 1, .left, .unicode, "[…]"),
      ("abcdef", 0, .left, .unicode, "[]"),
      ("漢字", 4, .left, .unicode, "[漢字]"),
      ("漢字", 3, .left, .unicode, "[漢…]"),
      ("漢字", 2, .left, .unicode, "[… ]"),
      ("cafe\u{301}s", 5, .left, .unicode, "[cafe\u{301}s]"),
      ("cafe\u{301}s", 4, .left, .unicode, "[caf…]"),
      ("", 3, .right, .unicode, "[   ]"),
    ] as [(String, Int, Alignment, GlyphSet, String)])
  func `a text fits its room`(
    _ text: String, _ width: Int, _ alignment: Alignment, _ glyphs: GlyphSet, _ expected: String
  ) {
    let canvas = picture(width + 2, 1, glyphs) { canvas, _ in
      canvas.put("[", column: 0, row: 0)
      canvas.put(text, column: 1, row: 0, width: width, align: alignment)
      canvas.put("]", column: width + 1, row: 0)
    }
    #expect(canvas.text() == [expected])
  }

  @Test func `spans keep their styles, and the ellipsis that of what it cuts`() {
    let line: StyledText = [TextSpan("ok ", .good), TextSpan("late ", .warn), TextSpan("gone", .bad)]
    let whole = picture(14, 1) { canvas, _ in canvas.put(line, column: 0, row: 0) }
    #expect(whole.text() == ["ok late gone"])
    #expect(whole.styleText() == ["gggwwwwwbbbb"])
    let exact = picture(12, 1) { canvas, _ in canvas.put(line, column: 0, row: 0) }
    #expect(exact.text() == ["ok late gone"])
    let cut = picture(8, 1) { canvas, _ in canvas.put(line, column: 0, row: 0) }
    #expect(cut.text() == ["ok late…"])
    #expect(cut.styleText() == ["gggwwwww"])
  }

  @Test func `half of a wide character never stays behind`() {
    let canvas = picture(8, 2) { canvas, _ in
      canvas.put("漢字漢字", column: 0, row: 0)
      canvas.put("x", column: 1, row: 0)
      canvas.put("y", column: 4, row: 0)
      canvas.put("字", column: 7, row: 1)
    }
    #expect(canvas.text() == [" x字y 字", "       …"])
  }

  @Test func `a part is drawn from its own corner and nothing leaves it`() {
    let canvas = picture(10, 4) { canvas, _ in
      canvas.within(Rect(column: 2, row: 1, columns: 5, rows: 2)) { canvas in
        #expect(canvas.bounds == Rect(column: 0, row: 0, columns: 5, rows: 2))
        canvas.put("abcdefgh", column: 1, row: 0)
        canvas.fill(Rect(column: 0, row: 1, columns: 99, rows: 99), .bad, with: "#")
        canvas.within(Rect(column: 3, row: 1, columns: 9, rows: 9)) { canvas in
          canvas.put("zzz", column: 0, row: 0)
        }
      }
      canvas.put("out", column: 0, row: 3)
    }
    #expect(canvas.text() == ["", "   abc…", "  ###z…", "out"])
    #expect(canvas.styleText() == ["", "   ....", "  bbb..", "..."])
  }

  @Test func `a frame in both sets of glyphs`() {
    let draw = { (canvas: inout Canvas, rect: Rect) in canvas.frame(rect) }
    #expect(picture(4, 3, draw).text() == ["┌──┐", "│  │", "└──┘"])
    #expect(picture(4, 3, .ascii, draw).text() == ["+--+", "|  |", "+--+"])
    #expect(picture(1, 3, draw).text() == ["", "", ""])
  }

  @Test func `only rows that differ are reported`() {
    let before = picture(5, 3) { canvas, _ in canvas.put("a", column: 0, row: 0) }
    var after = before
    #expect(after == before)
    #expect(after.changedRows(since: before) == [])
    after.put("b", column: 0, row: 2)
    #expect(after != before)
    #expect(after.changedRows(since: before) == [2])
    #expect(after.changedRows(since: nil) == [0, 1, 2])
    let other = Canvas(size: Size(columns: 6, rows: 2))
    #expect(other.changedRows(since: before) == [0, 1])
  }

  @Test func `a canvas of the same cells but another style or cursor differs`() {
    let plain = picture(3, 1) { canvas, _ in canvas.put("a", column: 0, row: 0) }
    let bold = picture(3, 1) { canvas, _ in canvas.put("a", column: 0, row: 0, .strong) }
    var pointed = plain
    pointed.showCursor(at: Point(column: 1, row: 0))
    #expect(plain != bold)
    #expect(plain != pointed)
    #expect(bold.styleText() == [":"])
    pointed.showCursor(at: Point(column: 3, row: 0))
    #expect(pointed.cursor == Point(column: 1, row: 0))
  }
}
