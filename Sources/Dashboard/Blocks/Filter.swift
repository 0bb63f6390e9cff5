/// Filter for the rows of a list, such as `product:gold state:grace days>10 !trial`.
///
/// A row must match every term. A word alone is searched in every cell. `field:word` is searched in one
/// column, named by its field or its heading. `field=text` requires the whole cell to be equal, apart from
/// signs at its start and end. `>`, `>=`, `<` and `<=` compare numbers, ages in days, and dates
/// (`DateCells`). `!` negates a term. Spaces within quotes do not separate terms. Terms ignore case, and
/// match the visible text or a second text of the cell, such as the full product id or the JSON word.
package struct Filter: Hashable, Sendable {
  let text: String
  private(set) var terms: [Term]

  struct Term: Hashable, Sendable {
    enum Relation: String, Hashable, Sendable, CaseIterable {
      // Longer operators first, because they begin with the shorter ones.
      case atLeast = ">="
      case atMost = "<="
      case over = ">"
      case under = "<"
      case contains = ":"
      case equals = "="
    }

    /// Column to search; `nil` searches every column.
    var field: String?
    var relation: Relation
    var word: String
    var isNegated: Bool
    /// Dates that the word means, see `DateCells.bounds(of:)`; `nil` if the term does not compare dates.
    var dates: ClosedRange<String>?
  }

  package enum Problem: Error, Hashable {
    case field(String, known: [String])
    case number(String)
    case date(String)
    /// Term without a value, or an empty string for quotes without text between them.
    case unfinished(String)

    /// Whether the error is in a term's value, not in the name of its column.
    package var isOfWord: Bool { if case .field = self { false } else { true } }

    package var sentence: String {
      switch self {
      case .field(let name, let known):
        "no column \(name); the columns are \(known.filter { !$0.isEmpty }.joined(separator: ", "))"
      case .number(let word): "\"\(word)\" is not a number"
      case .date(let word): "\"\(word)\" is neither a date, such as 2026-11-27, nor an age, such as 7d"
      case .unfinished(let word):
        word.isEmpty ? "the quotes are empty" : "no value after \(word)"
      }
    }
  }

  /// Parses a filter for a list with the columns `fields`.
  ///
  /// - Parameters:
  ///   - headings: Second name of each column in `fields`, in the same order.
  ///   - dates: Time zone and current time for each column of dates, by field.
  package init(
    _ text: String, fields: [String], headings: [String] = [], dates: [String: DateCells] = [:]
  ) throws(Problem) {
    self.text = text
    var terms: [Term] = []
    for word in Self.words(of: text) where !Self.isBare(word) {
      terms.append(try Term(word, fields, headings.isEmpty ? fields : headings, dates))
    }
    self.terms = terms
  }

  var isEmpty: Bool { terms.isEmpty }

  /// Returns the filter, or throws an error if a term has no value, as after an unset variable in a script.
  func finished() throws(Problem) -> Filter {
    if let term = terms.first(where: \.word.isEmpty) {
      throw .unfinished("\(term.isNegated ? "!" : "")\(term.field ?? "")\(term.relation.rawValue)")
    }
    if let word = Self.words(of: text).first(where: Self.isBare) {
      throw .unfinished(word)
    }
    return self
  }

  package func matches(_ cells: [String], fields: [String], meanings: CellMeanings = [:]) -> Bool {
    terms.allSatisfy { $0.matches(cells, fields: fields, meanings) }
  }

  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var (isQuoted, isInWord) = (false, false)
    for character in text {
      if character.isWhitespace, !isQuoted {
        isInWord = false
        continue
      }
      if !isInWord { words.append("") }
      isInWord = true
      if character == "\"" { isQuoted.toggle() } else { words[words.count - 1].append(character) }
    }
    return words
  }

  private static func isBare(_ word: String) -> Bool { word.isEmpty || word == "!" }
}

extension [String] {
  /// Returns the field with this name or heading, or else the first with one that begins with `name`.
  func field(_ name: String, headings: [String]) -> String? {
    let (wanted, names) = (name.lowercased(), self + headings)
    let place = names.firstIndex(of: wanted) ?? names.firstIndex { $0.hasPrefix(wanted) }
    return place.map { self[$0 % count] }
  }
}

extension Filter.Term {
  init(
    _ word: String, _ fields: [String], _ headings: [String], _ dates: [String: DateCells]
  ) throws(Filter.Problem) {
    isNegated = word.hasPrefix("!")
    let body = isNegated ? word.dropFirst() : word[...]
    let name = body.prefix { $0.isLetter || $0 == "_" || $0.isNumber }
    let rest = body.dropFirst(name.count)
    guard !name.isEmpty, let relation = Relation.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
      (field, relation, self.word) = (nil, .contains, body.lowercased())
      return
    }
    guard let field = fields.field(String(name), headings: headings) else {
      throw .field(String(name), known: headings)
    }
    self.field = field
    self.relation = relation
    self.word = rest.dropFirst(relation.rawValue.count).lowercased()
    self.dates = relation == .contains ? nil : dates[field]?.bounds(of: self.word)
    guard relation == .contains || relation == .equals || self.word.isEmpty || self.dates != nil else {
      if dates[field] != nil { throw .date(self.word) }
      if value.number == nil { throw .number(self.word) }
      return
    }
  }

  private var value: CellValue { CellValue(word) }

  func matches(_ cells: [String], fields: [String], _ meanings: CellMeanings) -> Bool {
    // A term without a value matches every row, because the user is still typing it.
    guard !word.isEmpty else { return true }
    guard let field else {
      return zip(cells, fields).contains { contains($0, meanings[$1]) } != isNegated
    }
    guard let index = fields.firstIndex(of: field), cells.indices.contains(index) else { return isNegated }
    return holds(for: cells[index], meanings[field]) != isNegated
  }

  private func holds(for cell: String, _ meanings: [String: String]?) -> Bool {
    if relation == .contains { return contains(cell, meanings) }
    if relation == .equals, dates == nil { return equals(cell) || (meanings?[cell].map(equals) ?? false) }
    guard let order = order(of: cell) else { return false }
    return switch relation {
    case .over: order > 0
    case .atLeast: order >= 0
    case .under: order < 0
    case .atMost: order <= 0
    case .contains, .equals: order == 0
    }
  }

  /// Returns -1, 0 or 1 if the cell is less than, equal to or more than the word; `nil` if not comparable.
  private func order(of cell: String) -> Int? {
    func order<Value: Comparable>(_ one: Value, _ other: Value) -> Int {
      one < other ? -1 : one == other ? 0 : 1
    }
    guard let dates else {
      return CellValue(cell).number.flatMap { one in value.number.map { order(one, $0) } }
    }
    guard cell.first?.isNumber == true else { return nil }
    let (from, to) = (dates.lowerBound.prefix(cell.count), dates.upperBound.prefix(cell.count))
    if dates.lowerBound == dates.upperBound { return order(cell.prefix(from.count), from) }
    let distance = max(order(from, cell[...]), order(cell[...], to))
    // In a column of dates without times, today counts as nearer than an age of a few hours.
    return from == to && distance == 0 ? -1 : distance
  }

  private func contains(_ cell: String, _ meanings: [String: String]?) -> Bool {
    if cell.contains(lowercased: word) || meanings?[cell]?.contains(lowercased: word) == true { return true }
    return word.contains("_") && cell.lowercased().spaced.contains(word.spaced)
  }

  private func equals(_ cell: String) -> Bool {
    let value = CellValue(cell)
    if value.text == word || (value.number != nil && value.number == self.value.number) { return true }
    let words = String(value.text.withoutSigns)
    return words == word || (word.contains("_") && words.spaced == word.spaced)
  }
}

/// Texts that filters also match, such as full product ids, by field and visible text.
package typealias CellMeanings = [String: [String: String]]

extension String {
  /// Text with spaces for `_` and `-`, so that JSON words match those on the screen.
  fileprivate var spaced: String { String(map { $0 == "_" || $0 == "-" ? " " : $0 }) }

  /// Text without leading and trailing signs: `trial` for `✓ trial`.
  fileprivate var withoutSigns: Substring {
    func isOfWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    guard let first = firstIndex(where: isOfWord), let last = lastIndex(where: isOfWord) else {
      return self[...]
    }
    return self[first...last]
  }
}

extension String {
  func contains(lowercased word: String) -> Bool {
    // ASCII is compared directly, because lowercasing each cell took most of a filter's time.
    let found = utf8.withContiguousStorageIfAvailable { text in
      word.utf8.withContiguousStorageIfAvailable { word -> Bool? in
        guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard word.count <= text.count else { return false }
        return (0...text.count - word.count).contains { start in
          word.indices.allSatisfy { text[start + $0].lowercasedASCII == word[$0] }
        }
      }
    }
    return (found ?? nil).flatMap(\.self) ?? lowercased().contains(word)
  }
}

extension UInt8 {
  fileprivate var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
