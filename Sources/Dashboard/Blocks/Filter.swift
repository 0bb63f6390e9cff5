import Subscriptions

/// Which rows of a list show: `product:gold state:grace days>10 !trial`.
///
/// Every term has to hold. A word alone is looked for in every cell; `field:word` in one column, `field=text` wants the whole
/// cell but for its mark, of a dotted id as much of the end as is shown or meant, and `field>10`, `>=`, `<`, `<=` compare numbers,
/// ages in days. What the JSON has for a state means the same. `!` before a term turns it round, quotes keep spaces. Case does not matter.
package struct Filter: Hashable, Sendable {
  /// As it was typed.
  let text: String
  let terms: [Term]

  struct Term: Hashable, Sendable {
    enum Relation: String, Hashable, Sendable, CaseIterable {
      // The longer ones first, since they begin with the shorter.
      case atLeast = ">="
      case atMost = "<="
      case over = ">"
      case under = "<"
      case contains = ":"
      case equals = "="
    }

    /// Nil looks into every column.
    var field: String?
    var relation: Relation
    var word: String
    /// The word as it was typed, and as the screen has what programs write otherwise: `billing retry`.
    var spellings: [String]
    var isNegated: Bool
  }

  package enum Problem: Error, Hashable {
    case field(String, known: [String])
    case number(String)

    package var sentence: String {
      switch self {
      case .field(let name, let known):
        "no column \(name); the columns are \(known.filter { !$0.isEmpty }.joined(separator: ", "))"
      case .number(let word): "\(word) is no number"
      }
    }
  }

  /// - Parameter fields: the names of the list's columns.
  package init(_ text: String, fields: [String]) throws(Problem) {
    self.text = text
    var terms: [Term] = []
    for word in Self.words(of: text) { terms.append(try Term(word, fields: fields)) }
    self.terms = terms
  }

  var isEmpty: Bool { terms.isEmpty }

  /// - Parameter cells: what stands in the row, column by column.
  package func matches(_ cells: [String], fields: [String]) -> Bool {
    terms.allSatisfy { $0.matches(cells, fields: fields) }
  }

  /// Split at spaces outside of quotes, the quotes taken away.
  private static func words(of text: String) -> [String] {
    var words = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty && $0 != "!" }
  }
}

extension Filter.Term {
  init(_ word: String, fields: [String]) throws(Filter.Problem) {
    isNegated = word.hasPrefix("!")
    let body = isNegated ? word.dropFirst() : word[...]
    let name = body.prefix { $0.isLetter || $0 == "_" || $0.isNumber }
    let rest = body.dropFirst(name.count)
    guard !name.isEmpty, let relation = Relation.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
      (field, relation, self.word) = (nil, .contains, body.lowercased())
      spellings = Self.spellings(of: self.word)
      return
    }
    let wanted = name.lowercased()
    guard let field = fields.first(where: { $0 == wanted }) ?? fields.first(where: { $0.hasPrefix(wanted) })
    else { throw .field(String(name), known: fields) }
    self.field = field
    self.relation = relation
    self.word = rest.dropFirst(relation.rawValue.count).lowercased()
    spellings = Self.spellings(of: self.word)
    guard relation == .contains || relation == .equals || self.word.isEmpty || value.number != nil else {
      throw .number(self.word)
    }
  }

  private static func spellings(of word: String) -> [String] {
    let others = [word.replacing("_", with: " "), LineState(rawValue: word)?.words].compactMap(\.self)
    return [word] + Set(others).subtracting([word]).sorted()
  }

  private var value: CellValue { CellValue(word) }

  func matches(_ cells: [String], fields: [String]) -> Bool {
    // What is not typed to its end yet leaves nothing out.
    guard !word.isEmpty else { return true }
    guard let field else { return cells.contains(where: isIn) != isNegated }
    guard let index = fields.firstIndex(of: field), cells.indices.contains(index) else { return isNegated }
    if relation == .contains { return isIn(cells[index]) != isNegated }
    return holds(for: CellValue(cells[index])) != isNegated
  }

  private func isIn(_ cell: String) -> Bool {
    spellings.contains { cell.contains(lowercased: $0) } || isShownAs(cell.lowercased())
  }

  /// Whether the word is an id of which the cell has the end.
  private func isShownAs(_ cell: String) -> Bool { !cell.isEmpty && word.hasSuffix("." + cell) }

  private func isWhole(_ text: String) -> Bool {
    spellings.contains(text) || (text.hasSuffix("." + word) && !text.contains(" ")) || isShownAs(text)
  }

  private func holds(for cell: CellValue) -> Bool {
    if relation == .equals {
      if let number = cell.number { return cell.text == word || number == value.number }
      return isWhole(cell.text) || cell.text.withoutMark.map(isWhole) ?? false
    }
    guard let one = cell.number, let other = value.number else { return false }
    return switch relation {
    case .over: one > other
    case .atLeast: one >= other
    case .under: one < other
    case .atMost: one <= other
    case .contains, .equals: false
    }
  }
}

extension String {
  /// What stands behind a mark such as a tick; nil where there is none.
  fileprivate var withoutMark: String? {
    guard let first, !first.isLetter, !first.isNumber, dropFirst().first == " " else { return nil }
    return String(dropFirst(2))
  }

  /// Whether a word in small letters stands in it, in whatever letters.
  func contains(lowercased word: String) -> Bool {
    // A string in small letters for each cell of a long list took most of a filter's time.
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
