import Subscriptions

enum NearNames {
  /// Returns a clause for a message about an unknown name; empty if no name is similar.
  static func hint(_ word: String, among names: [String]) -> String {
    let near = of(printable(word), among: names)
    return near.isEmpty ? "" : "; similar: \(near.joined(separator: ", "))"
  }

  /// Returns similar names, nearest first.
  ///
  /// A name is similar if it, or its part after the last dot, differs from `typed` by a few typos, or if one
  /// of the two begins with the other. A name that ends with a dot and `typed` is also similar.
  static func of(_ typed: String, among names: [String]) -> [String] {
    let word = Array(typed.lowercased().prefix(64))
    let near = names.compactMap { name -> (name: String, distance: Int)? in
      if name.hasSuffix(".\(typed)") { return (name, 0) }
      // Product ids are also compared by their last part, because the screen shows only this part.
      let forms = ([name[...]] + name.split(separator: ".").suffix(1)).map { Array($0) }
      let distances = forms.compactMap { letters -> Int? in
        if word.count > 1, letters.starts(with: word) || word.starts(with: letters) { return 0 }
        let distance = distance(word, letters)
        return distance <= max(1, min(word.count, letters.count) / 3) ? distance : nil
      }
      return distances.min().map { (name, $0) }
    }
    return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
  }

  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var row = Array(0...right.count)
    for (place, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for (column, other) in right.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }
}
