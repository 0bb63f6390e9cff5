import Screen

func picture(
  _ columns: Int, _ rows: Int, _ glyphs: GlyphSet, _ draw: (inout Canvas, Rect) -> Void
) -> Canvas {
  var canvas = Canvas(size: Size(columns: columns, rows: rows), glyphs: glyphs)
  draw(&canvas, canvas.bounds)
  return canvas
}

func picture(_ columns: Int, _ rows: Int, _ draw: (inout Canvas, Rect) -> Void) -> Canvas {
  picture(columns, rows, .unicode, draw)
}
