import Screen

struct TooSmallScreen {
  let size: Size

  func draw(on canvas: inout Canvas) {
    let needed = Chrome.minimum
    let lines: [StyledText] = [
      StyledText("Too small: \(size.columns)x\(size.rows)", .warn),
      StyledText("needs \(needed.columns)x\(needed.rows)"),
      [TextSpan("q", .key), " quits"],
    ]
    let top = max(0, (canvas.bounds.rows - lines.count) / 2)
    for (index, line) in lines.enumerated() {
      canvas.put(line, column: 0, row: top + index, width: canvas.bounds.columns, align: .centre)
    }
  }
}
