import AppStore

/// Stream of a file's lines except blank lines; a line over `limit` has a fault instead of its text.
public struct LineStream<Failure: Error> {
  /// Maximum bytes of a line, or of a value over several lines.
  public static var limit: Int { FieldLimits.line }
  /// Maximum number of bytes read in one line or in consecutive blank lines, because some inputs never end.
  private static var end: Int { 2 * limit }

  private static var mark: [UInt8] { [0xEF, 0xBB, 0xBF] }
  /// Number of first bytes needed to recognize other formats.
  private static var beginningSize: Int { 16 }

  struct Line {
    let number: Int
    var text: [UInt8] = []
    /// Reason why the line was discarded; `nil` if `text` has the line.
    var fault: String?
  }

  /// Path or name of the file; empty if unknown.
  let name: String
  private let more: () throws(Failure) -> [UInt8]
  private var gzip: Gunzip?
  private var piece: [UInt8] = []
  private var place = 0
  /// Offset of `piece` in the file.
  private var base = 0
  private var number = 0
  private var isFirst = true
  private var isAtEnd = false

  /// - Parameter more: returns the next bytes, or an empty array at the end.
  public init(named name: String = "", _ more: @escaping () throws(Failure) -> [UInt8]) {
    (self.name, self.more) = (name, more)
  }

  mutating func beginning() throws(Failure) -> ArraySlice<UInt8> {
    _ = try fill()
    return piece.prefix(Self.beginningSize)
  }

  /// Decompresses the file from its first byte; must be called before the first line is read.
  mutating func decompress() {
    gzip = Gunzip(piece)
    (piece, place, isFirst, isAtEnd) = ([], 0, true, false)
  }

  /// Returns the next line that is not blank; `nil` at the end.
  ///
  /// If compressed data is damaged, the last line has the fault instead of text.
  mutating func next() throws(Failure) -> Line? {
    if let line = try nextText() { return line }
    return gzip?.takeFault().map { Line(number: number + 1, fault: $0) }
  }

  private mutating func nextText() throws(Failure) -> Line? {
    var blanks = 0
    var firstBlank: (number: Int, start: Int)?
    var start = base + place
    while let line = try nextLine() {
      if line.fault != nil || line.text.contains(where: { !isBlank($0) }) { return line }
      let first = firstBlank ?? (line.number, start)
      firstBlank = first
      // Counts at least 16 bytes per line, because even an empty line takes time.
      blanks += max(base + place - start, 16)
      if blanks > Self.end {
        isAtEnd = true
        let size = (base + place - first.start) >> 20
        place = piece.count
        return Line(
          number: first.number, fault: "only white space follows for \(size) MiB; the rest was not read")
      }
      start = base + place
    }
    return nil
  }

  private mutating func nextLine() throws(Failure) -> Line? {
    guard try fill() else { return nil }
    var line = Line(number: number + 1)
    let start = base + place
    number += 1
    while try fill() {
      let newline = piece[place...].firstIndex(of: 0x0A)
      let rest = piece[place..<(newline ?? piece.endIndex)]
      // A line that is too long is reported only if it is not blank.
      if line.text.count + rest.count > Self.limit {
        if (line.text + rest).contains(where: { !isBlank($0) }) { line.fault = Self.tooLong }
        line.text = []
      } else if line.fault == nil {
        line.text.append(contentsOf: rest)
      }
      place = (newline ?? piece.endIndex - 1) + 1
      if newline != nil { break }
      if base + place - start > Self.end {
        // If the line is blank, `nextText` reports it.
        line.fault = line.fault.map { $0 + "; the rest was not read" }
        if line.fault != nil { (isAtEnd, place) = (true, piece.count) }
        break
      }
    }
    return line
  }

  static var tooLong: String {
    "it is longer than \(FieldLimits.line >> 20) MiB, more than any receipt or answer"
  }

  /// Reads the next piece if necessary, and returns whether there is a byte to read.
  private mutating func fill() throws(Failure) -> Bool {
    while place == piece.count, !isAtEnd {
      base += piece.count
      piece = try nextPiece()
      place = 0
      isAtEnd = piece.isEmpty
      guard isFirst else { continue }
      isFirst = false
      while piece.count < Self.beginningSize, !isAtEnd {
        let next = try nextPiece()
        isAtEnd = next.isEmpty
        piece += next
      }
      if piece.starts(with: Self.mark) { place = Self.mark.count }
    }
    return place < piece.count
  }

  private func nextPiece() throws(Failure) -> [UInt8] {
    guard let gzip else { return try more() }
    return try gzip.next(more)
  }
}

func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

extension LineStream where Failure == Never {
  init(_ bytes: [UInt8], named name: String = "") {
    var rest = bytes
    self.init(named: name) {
      defer { rest = [] }
      return rest
    }
  }
}
