/// The lines of a file that are not blank, with their numbers.
struct Lines: Sequence {
  let bytes: [UInt8]

  struct Iterator: IteratorProtocol {
    let bytes: [UInt8]
    private var position = 0
    private var number = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
      // A byte order mark is not content.
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func next() -> (number: Int, text: ArraySlice<UInt8>)? {
      while position < bytes.count {
        let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
        let line = bytes[position..<end]
        position = end + 1
        number += 1
        if line.contains(where: { !isBlank($0) }) { return (number, line) }
      }
      return nil
    }
  }

  func makeIterator() -> Iterator { Iterator(bytes: bytes) }
}

/// White space as JSON and base64 have it.
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
