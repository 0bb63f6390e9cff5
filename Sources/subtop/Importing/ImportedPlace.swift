import Intake

/// Where an item of an import stands, for messages about it.
struct ImportedPlace: Hashable, Comparable, CustomStringConvertible {
  /// Which of the files, from 0.
  var file: Int
  var name: String
  var line: LinePlace

  var description: String { "\(name), line \(line.number)" }

  static func < (left: Self, right: Self) -> Bool {
    (left.file, left.line.number) < (right.file, right.line.number)
  }
}

/// What is wrong with the files of an import: the first lines in words, and how many there are.
struct BadLines: Sendable {
  private var first: [(place: ImportedPlace, reason: String)] = []
  private(set) var count = 0
  private static let mostNamed = 20

  var named: [String] { first.map { "\($0.place): \($0.reason)" } }

  /// In any order: the first of the files are named.
  mutating func add(_ place: ImportedPlace, _ reason: String) {
    count += 1
    let index = first.firstIndex { place < $0.place } ?? first.endIndex
    guard index < Self.mostNamed else { return }
    first.insert((place, reason), at: index)
    if first.count > Self.mostNamed { first.removeLast() }
  }
}
