/// The lines of a file that are not blank, one after the other as pieces of it come in: whatever the size of the file, one
/// line is in memory, and of a line that is too long no more than its beginning.
public struct LineStream<Failure: Error> {
  /// Bytes that a line, or one value over many lines, may have: some hundred kB are the largest answers seen.
  public static var limit: Int { 8 << 20 }

  private static var mark: [UInt8] { [0xEF, 0xBB, 0xBF] }

  struct Line {
    /// 1 is the first of the file.
    let number: Int
    let text: [UInt8]
    var isTooLong = false
  }

  private let more: () throws(Failure) -> [UInt8]
  private var piece: [UInt8] = []
  private var place = 0
  private var number = 0
  private var isFirst = true
  private var isAtEnd = false

  /// - Parameter more: the next bytes; none at the end.
  public init(_ more: @escaping () throws(Failure) -> [UInt8]) { self.more = more }

  mutating func next() throws(Failure) -> Line? {
    while let line = try nextLine() {
      if line.isTooLong || line.text.contains(where: { !isBlank($0) }) { return line }
    }
    return nil
  }

  /// The next line, blank or not.
  private mutating func nextLine() throws(Failure) -> Line? {
    var text: [UInt8] = []
    var (isTooLong, hasBegun) = (false, false)
    while try fill() {
      hasBegun = true
      let end = piece[place...].firstIndex(of: 0x0A)
      let rest = piece[place..<(end ?? piece.endIndex)]
      // What is not blank of a line that is too long makes it worth a word.
      if text.count + rest.count <= Self.limit {
        if !isTooLong { text.append(contentsOf: rest) }
      } else {
        isTooLong = isTooLong || text.contains { !isBlank($0) } || rest.contains { !isBlank($0) }
        text = []
      }
      place = (end ?? piece.endIndex - 1) + 1
      if end != nil { break }
    }
    guard hasBegun else { return nil }
    number += 1
    return Line(number: number, text: text, isTooLong: isTooLong)
  }

  /// Whether there is a byte to read.
  private mutating func fill() throws(Failure) -> Bool {
    while place == piece.count, !isAtEnd {
      piece = try more()
      place = 0
      isAtEnd = piece.isEmpty
      guard isFirst else { continue }
      isFirst = false
      while piece.count < Self.mark.count, !isAtEnd {
        let next = try more()
        isAtEnd = next.isEmpty
        piece += next
      }
      // A byte order mark is not content.
      if piece.starts(with: Self.mark) { place = Self.mark.count }
    }
    return place < piece.count
  }
}

extension LineStream where Failure == Never {
  init(_ bytes: [UInt8]) {
    var rest = bytes
    self.init {
      defer { rest = [] }
      return rest
    }
  }
}
