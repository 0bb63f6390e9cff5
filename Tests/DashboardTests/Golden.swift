import FoundationEssentials
import Screen
import TestSupport
import Testing

/// Golden screens as text, followed by styles with one letter per cell; all are 80x24, some also 120x40.
enum Golden {
  static let folder =
    String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex)) + "/Screens/"

  /// Compares a canvas with its file, or writes the file if `SUBTOP_RECORD` is 1.
  static func expect(_ canvas: Canvas, _ name: String, _ place: SourceLocation = #_sourceLocation) {
    let drawn =
      canvas.text().joined(separator: "\n") + "\n--- styles\n" + canvas.styleText().joined(separator: "\n")
      + "\n"
    expect(drawn, file: "\(name)-\(canvas.size.columns)x\(canvas.size.rows).screen", place)
  }

  static func expect(_ text: String, file name: String, _ place: SourceLocation = #_sourceLocation) {
    let path = folder + name
    if ProcessInfo.processInfo.environment["SUBTOP_RECORD"] == "1" {
      #expect(throws: Never.self, sourceLocation: place) {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      }
      return
    }
    guard let kept = try? String(contentsOfFile: path, encoding: .utf8) else {
      Issue.record("There is no \(path); SUBTOP_RECORD=1 writes it.", sourceLocation: place)
      return
    }
    #expect(kept == text, "\(name) differs:\n\(difference(kept, text))", sourceLocation: place)
  }

  private static func difference(_ kept: String, _ drawn: String) -> String {
    let pairs = zip(lines(of: kept), lines(of: drawn)).enumerated().filter { $0.element.0 != $0.element.1 }
    return pairs.prefix(6).map { "\($0.offset + 1) - \($0.element.0)\n\($0.offset + 1) + \($0.element.1)" }
      .joined(separator: "\n")
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
