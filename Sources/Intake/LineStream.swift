import AppStore

/// The lines of a file that are not blank, one after the other as pieces of it come in: whatever the size of the file, one
/// line is in memory, and of a line that is too long no more than its beginning.
public struct LineStream<Failure: Error> {
  /// Bytes that a line, or one value over many lines, may have.
  public static var limit: Int { FieldLimits.line }
  /// Bytes of one line, or of nothing but white space, after which the rest is not read: some inputs never end.
  static var end: Int { 2 * limit }

  private static var mark: [UInt8] { [0xEF, 0xBB, 0xBF] }
  /// Bytes that tell what else a file may be.
  private static var beginningSize: Int { 16 }

  struct Line {
    /// 1 is the first of the file.
    let number: Int
    /// Where it stands in the file.
    var range = 0..<0
    let text: [UInt8]
    var isTooLong = false
    /// Whether it is the reason why nothing more is read.
    var isEnd = false
    /// Bytes of white space, where so many are the reason.
    var blanks: Int?

    var place: LinePlace { LinePlace(number: number, range: range) }
  }

  private let more: () throws(Failure) -> [UInt8]
  private var piece: [UInt8] = []
  private var place = 0
  /// Bytes of the file before the piece.
  private var base = 0
  private var number = 0
  private var blanks = 0
  /// The first of the blank lines that are being passed over.
  private var firstBlank = LinePlace.first
  private var isFirst = true
  private var isAtEnd = false

  /// - Parameter more: the next bytes; none at the end.
  public init(_ more: @escaping () throws(Failure) -> [UInt8]) { self.more = more }

  /// The first bytes of the file.
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
      if blanks == 0 { firstBlank = line.place }
      // A line is work, however short it is.
      blanks += max(line.range.count, 16)
      if blanks > Self.end { return stop(atBlank: firstBlank) }
    }
    return nil
  }

  /// The next line, blank or not.
  private mutating func nextLine() throws(Failure) -> Line? {
    var text: [UInt8] = []
    var (isTooLong, start) = (false, Int?.none)
    var end = 0
    while try fill() {
      start = start ?? (base + place)
      let newline = piece[place...].firstIndex(of: 0x0A)
      let rest = piece[place..<(newline ?? piece.endIndex)]
      // What is not blank of a line that is too long makes it worth a word.
      if text.count + rest.count <= Self.limit {
        if !isTooLong { text.append(contentsOf: rest) }
      } else {
        isTooLong = isTooLong || text.contains { !isBlank($0) } || rest.contains { !isBlank($0) }
        text = []
      }
      end = base + rest.endIndex
      place = (newline ?? piece.endIndex - 1) + 1
      if newline != nil { break }
      if let start, end - start > Self.end {
        number += 1
        return isTooLong
          ? stop(at: start) : stop(atBlank: LinePlace(number: number, range: start..<end))
      }
    }
    guard let start else { return nil }
    number += 1
    return Line(number: number, range: start..<end, text: text, isTooLong: isTooLong)
  }

  private mutating func stop(at start: Int) -> Line {
    isAtEnd = true
    place = piece.count
    return Line(
      number: number, range: start..<(base + piece.count), text: [], isTooLong: true, isEnd: true)
  }

  private mutating func stop(atBlank first: LinePlace) -> Line {
    let size = base + place - first.range.lowerBound
    let range = stop(at: first.range.lowerBound).range
    return Line(number: first.number, range: range, text: [], isTooLong: true, isEnd: true, blanks: size)
  }

  /// Whether there is a byte to read.
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
      // A byte order mark is not content.
      if piece.starts(with: Self.mark) { place = Self.mark.count }
    }
    return place < piece.count
  }
}

/// Where a line, or a value over several, stands in its file.
public struct LinePlace: Hashable, Sendable {
  /// 1 is the first line of the file.
  public var number: Int
  /// Its bytes.
  public var range: Range<Int>

  public init(number: Int, range: Range<Int>) { (self.number, self.range) = (number, range) }

  static let first = LinePlace(number: 1, range: 0..<0)
}

/// White space as JSON and base64 have it.
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
