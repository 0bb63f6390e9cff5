import ReceiptStore

/// Rows in the text format of PostgreSQL's COPY.
struct CopyText: RowSink {
  private(set) var bytes: [UInt8] = []
  private var isInRow = false

  private mutating func begin() {
    if isInRow { bytes.append(UInt8(ascii: "\t")) }
    isInRow = true
  }

  mutating func add(_ number: Int64) {
    begin()
    bytes.append(contentsOf: String(number).utf8)
  }

  mutating func add(_ text: String) {
    begin()
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\t"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
      case UInt8(ascii: "\n"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
      case UInt8(ascii: "\r"): bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
      case UInt8(ascii: "\\"): bytes.append(contentsOf: [byte, byte])
      default: bytes.append(byte)
      }
    }
  }

  mutating func addNull() {
    begin()
    bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "N")])
  }

  mutating func add(binary: [UInt8]) {
    begin()
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "\\"), UInt8(ascii: "x")])
    for byte in binary {
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }

  mutating func endRow() {
    bytes.append(UInt8(ascii: "\n"))
    isInRow = false
  }

  /// Reopens the last row, to add columns.
  mutating func reopenRow() {
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    isInRow = true
  }

  mutating func append(_ rows: CopyText) { bytes.append(contentsOf: rows.bytes) }
}
