import Intake

/// What the files of an import hold, and where each item and each bad line stands.
struct ImportedFiles<Item: Sendable> {
  private(set) var items: [Item] = []
  private(set) var places: [ImportedPlace] = []
  private var bad: [(place: ImportedPlace, reason: String)] = []

  /// As the files have them.
  var badLines: BadLines {
    bad.sorted { ($0.place.file, $0.place.line) < ($1.place.file, $1.place.line) }.reduce(into: BadLines()) {
      $0.add($1.place, $1.reason)
    }
  }

  init(_ files: [String], _ read: ([UInt8]) -> Reading<Item>) throws(Failure) {
    for (index, file) in files.enumerated() {
      guard let bytes = InputFile.bytes(at: file) else {
        throw Failure(.noInput, "cannot read \(file): \(errorText())")
      }
      let name = file == "-" ? "standard input" : file
      let place = { ImportedPlace(file: index, name: name, line: $0) }
      let reading = read(bytes)
      items += reading.items
      places += reading.lines.map(place)
      bad += reading.badLines.map { (place($0.line), $0.reason) }
    }
  }

  private init(bad: [(place: ImportedPlace, reason: String)]) { self.bad = bad }

  /// The same with other items, or with reasons why lines are bad after all.
  func checked<Other>(
    _ check: (Item) throws(Failure) -> CheckedItem<Other>
  ) throws(Failure) -> ImportedFiles<Other> {
    var others = ImportedFiles<Other>(bad: bad)
    for (item, place) in zip(items, places) {
      switch try check(item) {
      case .good(let other):
        others.items.append(other)
        others.places.append(place)
      case .bad(let reason): others.bad.append((place, reason))
      }
    }
    return others
  }
}

enum CheckedItem<Item> {
  case good(Item)
  case bad(reason: String)
}

struct ImportedPlace: Hashable, CustomStringConvertible {
  /// Which of the files, from 0.
  var file: Int
  var name: String
  var line: Int

  var description: String { "\(name), line \(line)" }
}
