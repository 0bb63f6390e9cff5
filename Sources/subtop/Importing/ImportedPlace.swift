import Intake

/// Place of an item, for messages.
struct ImportedPlace: Hashable, Comparable, CustomStringConvertible {
  /// Index of the file, from 0.
  var file: Int
  var name: String
  var line: LinePlace

  var description: String { "\(name), line \(line.number)" }

  static func < (left: Self, right: Self) -> Bool {
    (left.file, left.line.number) < (right.file, right.line.number)
  }
}

/// Bad lines of an import: their number, and descriptions of the first.
struct BadLines: Sendable {
  private var first: [(place: ImportedPlace, reason: String)] = []
  private(set) var count = 0
  private static let mostNamed = 20

  var named: [String] { first.map { "\($0.place): \($0.reason)" } }

  /// Adds a bad line. Lines may be added in any order; the first in the files are described.
  mutating func add(_ place: ImportedPlace, _ reason: String) {
    count += 1
    let index = first.firstIndex { place < $0.place } ?? first.endIndex
    guard index < Self.mostNamed else { return }
    first.insert((place, reason), at: index)
    if first.count > Self.mostNamed { first.removeLast() }
  }
}
