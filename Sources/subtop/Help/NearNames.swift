/// Suggestions for a mistyped name.
enum NearNames {
  /// Returns names with the same beginning or a few different letters, nearest first.
  static func of(_ word: String, among names: [String]) -> [String] {
    let word = Array(word.lowercased().prefix(64))
    let distances = names.map { name in
      let letters = Array(name)
      let isStart = word.count > 1 && (letters.starts(with: word) || word.starts(with: letters))
      return (name, isStart ? 0 : distance(word, letters))
    }
    return distances.filter { $0.1 <= max(1, min(word.count, $0.0.count) / 3) }.sorted {
      ($0.1, $0.0) < ($1.1, $1.0)
    }
    .map(\.0)
  }

  /// Returns the number of letters to insert, delete or replace (Levenshtein distance).
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
