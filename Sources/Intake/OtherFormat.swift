/// What a file is that is not text, by its first bytes.
enum OtherFormat {
  /// With the program that gives the text.
  case compressed(String, by: String)
  case utf16
  case other(String)

  private static let beginnings: [(bytes: [UInt8], format: OtherFormat)] = [
    ([0x1F, 0x8B], .compressed("gzip", by: "zcat")),
    ([0x28, 0xB5, 0x2F, 0xFD], .compressed("zstd", by: "zstdcat")),
    ([0xFD] + Array("7zXZ\0".utf8), .compressed("xz", by: "xzcat")),
    (Array("BZh".utf8), .compressed("bzip2", by: "bzcat")),
    ([0x50, 0x4B, 0x03, 0x04], .compressed("zip", by: "unzip -p")),
    ([0xFF, 0xFE], .utf16),
    ([0xFE, 0xFF], .utf16),
    (Array("%PDF-".utf8), .other("a PDF")),
    (Array("SQLite format 3\0".utf8), .other("an SQLite database")),
  ]

  /// Nil where it may be text.
  init?(beginning: ArraySlice<UInt8>) {
    guard let found = Self.beginnings.first(where: { beginning.starts(with: $0.bytes) }) else { return nil }
    self = found.format
  }

  /// - Parameters:
  ///   - name: as `subtop import` calls what was to be read.
  ///   - what: what that holds.
  func sentence(importing name: String, of what: String) -> String {
    switch self {
    case .compressed(let format, let program):
      "it is compressed with \(format); `\(program) FILE | subtop import \(name) -` reads it"
    case .utf16:
      "it is text in UTF-16; `iconv -f UTF-16 -t UTF-8 FILE | subtop import \(name) -` reads it"
    case .other(let format): "it is \(format), not text with \(what)"
    }
  }
}
