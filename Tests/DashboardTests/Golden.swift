import Glibc
import Screen
import Testing

/// Screens kept as text, with their styles below: a letter for each cell.
///
/// A screen is kept at 80x24; panels, a history and the sweep's tab also at 120x40.
enum Golden {
  static let folder =
    String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex)) + "/Screens/"

  /// Compares a canvas with the file of that name and its size, or writes the file if `SUBTOP_RECORD` is 1.
  static func expect(_ canvas: Canvas, _ name: String, _ place: SourceLocation = #_sourceLocation) {
    let drawn =
      canvas.text().joined(separator: "\n") + "\n--- styles\n" + canvas.styleText().joined(separator: "\n")
      + "\n"
    expect(drawn, file: "\(name)-\(canvas.size.columns)x\(canvas.size.rows).screen", place)
  }

  static func expect(_ text: String, file name: String, _ place: SourceLocation = #_sourceLocation) {
    let path = folder + name
    if getenv("SUBTOP_RECORD").map({ String(cString: $0) }) == "1" {
      #expect(write(text, to: path), "\(path) could not be written", sourceLocation: place)
      return
    }
    guard let kept = read(path) else {
      Issue.record("There is no \(path); SUBTOP_RECORD=1 writes it.", sourceLocation: place)
      return
    }
    #expect(kept == text, "\(name) differs:\n\(difference(kept, text))", sourceLocation: place)
  }

  /// The first lines that differ, under each other.
  private static func difference(_ kept: String, _ drawn: String) -> String {
    let pairs = zip(lines(of: kept), lines(of: drawn)).enumerated().filter { $0.element.0 != $0.element.1 }
    return pairs.prefix(6).map { "\($0.offset + 1) - \($0.element.0)\n\($0.offset + 1) + \($0.element.1)" }
      .joined(separator: "\n")
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ text: String, to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let bytes = Array(text.utf8)
    let written = fwrite(bytes, 1, bytes.count, file)
    return fclose(file) == 0 && written == bytes.count
  }
}
