import AppStore

/// The lines of a file that are not blank, read in pieces. At most one line is in memory, and none that is
/// too long.
public struct LineStream<Failure: Error> {
  /// Maximum bytes of a line, or of a value over several lines.
  public static var limit: Int { FieldLimits.line }
  /// Bytes of one line, or of consecutive white space, at which reading ends. Some inputs never end.
  static var end: Int { 2 * limit }

  private static var mark: [UInt8] { [0xEF, 0xBB, 0xBF] }
  /// Bytes needed to recognize other formats.
  private static var beginningSize: Int { 16 }

  struct Line {
    /// Line number, from 1.
    let number: Int
    let text: [UInt8]
    var isTooLong = false
    /// Whether reading ends because of this line.
    var isEnd = false
    /// Bytes of white space, if reading ends because of them.
    var blanks: Int?
  }

  private let more: () throws(Failure) -> [UInt8]
  private var piece: [UInt8] = []
  private var place = 0
  /// Offset of the piece in the file.
  private var base = 0
  private var number = 0
  private var blanks = 0
  /// Number and offset of the first of the blank lines being skipped.
  private var firstBlank = (number: 1, start: 0)
  /// Offset of the line read last.
  private var start = 0
  private var isFirst = true
  private var isAtEnd = false

  /// - Parameter more: returns the next bytes; none at the end.
  public init(_ more: @escaping () throws(Failure) -> [UInt8]) { self.more = more }

  mutating func beginning() throws(Failure) -> ArraySlice<UInt8> {
    _ = try fill()
    return piece.prefix(Self.beginningSize)
  }

  mutating func next() throws(Failure) -> Line? {
    while let line = try nextLine() {
      if line.isTooLong || line.text.contains(where: { !isBlank($0) }) {
        blanks = 0
        return line
      }
      if blanks == 0 { firstBlank = (line.number, start) }
      // Every line costs time, however short it is.
      blanks += max(base + place - start, 16)
      if blanks > Self.end { return stop(at: firstBlank.number, blankSince: firstBlank.start) }
    }
    return nil
  }

  private mutating func nextLine() throws(Failure) -> Line? {
    guard try fill() else { return nil }
    var text: [UInt8] = []
    var isTooLong = false
    start = base + place
    number += 1
    while try fill() {
      let newline = piece[place...].firstIndex(of: 0x0A)
      let rest = piece[place..<(newline ?? piece.endIndex)]
      // A line that is too long is reported only if it is not blank.
      if text.count + rest.count <= Self.limit {
        if !isTooLong { text.append(contentsOf: rest) }
      } else {
        isTooLong = isTooLong || text.contains { !isBlank($0) } || rest.contains { !isBlank($0) }
        text = []
      }
      place = (newline ?? piece.endIndex - 1) + 1
      if newline != nil { break }
      if base + place - start > Self.end { return stop(at: number, blankSince: isTooLong ? nil : start) }
    }
    return Line(number: number, text: text, isTooLong: isTooLong)
  }

  /// - Parameter start: Offset of the white space that ended reading; `nil` if something else did.
  private mutating func stop(at number: Int, blankSince start: Int?) -> Line {
    let blanks = start.map { base + place - $0 }
    isAtEnd = true
    place = piece.count
    return Line(number: number, text: [], isTooLong: true, isEnd: true, blanks: blanks)
  }

  /// Reads the next piece if necessary. Returns whether there is a byte to read.
  private mutating func fill() throws(Failure) -> Bool {
    while place == piece.count, !isAtEnd {
      base += piece.count
      piece = try more()
      place = 0
      isAtEnd = piece.isEmpty
      guard isFirst else { continue }
      isFirst = false
      while piece.count < Self.beginningSize, !isAtEnd {
        let next = try more()
        isAtEnd = next.isEmpty
        piece += next
      }
      if piece.starts(with: Self.mark) { place = Self.mark.count }
    }
    return place < piece.count
  }
}

/// Whether a byte is white space in JSON and base64.
func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

extension LineStream where Failure == Never {
  init(_ bytes: [UInt8]) {
    var rest = bytes
    self.init {
      defer { rest = [] }
      return rest
    }
  }
}
