import Testing

/// Files of a module refer to each other in one direction, so that they can be read in order.
@Suite struct CircleTests {
  @Test func noFilesNameEachOtherInALoop() {
    let circles = NamedFiles(House.files(".swift")).circles
    #expect(circles == [])
  }
}

/// References between files of a module, by words that are names of types declared in one file only.
private struct NamedFiles {
  private var named: [String: Set<String>] = [:]

  init(_ files: [House.File]) {
    let words = files.map { (path: $0.path, words: Self.words(of: $0.text)) }
    var owners: [Substring: Set<String>] = [:]
    for (path, words) in words {
      for (keyword, name) in zip(words, words.dropFirst())
      where Self.keywords.contains(keyword) && name.count > 3 {
        owners[name, default: []].insert(path)
      }
    }
    for (path, words) in words {
      let room = path.prefix { $0 != "/" }
      let owned = Set(words).compactMap { owners[$0]?.count == 1 ? owners[$0]?.first : nil }
      named[path] = Set(owned.filter { $0 != path && $0.hasPrefix(room + "/") })
    }
  }

  private static let keywords: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]

  /// Words outside comments and string literals.
  private static func words(of text: String) -> [Substring] {
    text.split(separator: "\n").flatMap { line in
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      return parts.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " ")
        .prefix(upTo: "//").split { !($0.isLetter || $0.isNumber || $0 == "_") }
    }
  }

  var circles: [[String]] {
    let reached = named.keys.reduce(into: [String: Set<String>]()) { $0[$1] = reach(of: $1) }
    let loops = reached.filter { $0.value.contains($0.key) }.keys.map { file in
      loopsOf(file, reached)
    }
    return Set(loops).sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func loopsOf(_ file: String, _ reached: [String: Set<String>]) -> [String] {
    (reached[file] ?? []).filter { reached[$0]?.contains(file) == true }.sorted()
  }

  private func reach(of file: String) -> Set<String> {
    var seen: Set<String> = []
    var next = named[file] ?? []
    while let one = next.popFirst() {
      if seen.insert(one).inserted { next.formUnion((named[one] ?? []).subtracting(seen)) }
    }
    return seen
  }
}

extension String {
  fileprivate func prefix(upTo mark: String) -> Substring {
    guard let range = firstRange(of: mark) else { return self[...] }
    return self[..<range.lowerBound]
  }
}
