import CTerminal
import Screen

extension Terminal {
  func put(_ canvas: Canvas, row: Int) {
    let cells = canvas.cells(inRow: row).map(encoded)
    cells.withUnsafeBufferPointer { terminal_put_row(Int32(row), $0.baseAddress, Int32($0.count)) }
  }

  private func encoded(_ cell: Cell) -> terminal_cell {
    let look = look(of: cell.style)
    var encoded = terminal_cell()
    encoded.width = UInt8(cell.width)
    encoded.attributes = look.attributes
    encoded.pair = look.pair
    withUnsafeMutableBytes(of: &encoded.scalars) { bytes in
      let scalars = bytes.bindMemory(to: UInt32.self)
      for scalar in cell.text.unicodeScalars.prefix(scalars.count) {
        scalars[Int(encoded.scalar_count)] = scalar.value
        encoded.scalar_count += 1
      }
    }
    return encoded
  }

  private func look(of style: Style) -> CellLook {
    if let known = looks[style] { return known }
    let themed = theme[style.role].drawn(at: colourDepth)
    let ground = themed.paint.map { $0.ground.number(at: colourDepth) } ?? -1
    let pair = themed.foreground.map { terminal_colour_pair($0.number(at: colourDepth), ground) } ?? 0
    let look = CellLook(
      pair: Int16(pair), attributes: Self.bits(style.attributes.union(themed.attributes), themed))
    looks[style] = look
    return look
  }

  private static func bits(_ attributes: Attributes, _ look: Look) -> UInt8 {
    var bits: UInt32 = look.isDim ? TERMINAL_DIM.rawValue : 0
    if attributes.contains(.bold) { bits |= TERMINAL_BOLD.rawValue }
    if attributes.contains(.reverse) { bits |= TERMINAL_REVERSE.rawValue }
    if attributes.contains(.underline) { bits |= TERMINAL_UNDERLINE.rawValue }
    return UInt8(bits)
  }
}
