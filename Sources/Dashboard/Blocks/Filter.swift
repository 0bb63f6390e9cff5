/// Which rows of a list show: `product:gold state:grace days>10 !trial`.
///
/// Every term has to hold. A word alone is looked for in every cell; `field:word` in one column, `field=text` wants the whole
/// cell, and `field>10`, `>=`, `<`, `<=` compare numbers, ages in days. `!` before a term turns it round, quotes keep
/// spaces. Case does not matter.
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
      return
    }
    let wanted = name.lowercased()
    guard let field = fields.first(where: { $0 == wanted }) ?? fields.first(where: { $0.hasPrefix(wanted) })
    else { throw .field(String(name), known: fields) }
    self.field = field
    self.relation = relation
    self.word = rest.dropFirst(relation.rawValue.count).lowercased()
    guard relation == .contains || relation == .equals || self.word.isEmpty || value.number != nil else {
      throw .number(self.word)
    }
  }

  private var value: CellValue { CellValue(word) }
  /// As the screen has what programs write as one word: `billing retry`.
  private var spaced: String { word.replacing("_", with: " ") }

  func matches(_ cells: [String], fields: [String]) -> Bool {
    // What is not typed to its end yet leaves nothing out.
    guard !word.isEmpty else { return true }
    guard let field else { return cells.contains { $0.contains(lowercased: word) } != isNegated }
    guard let index = fields.firstIndex(of: field), cells.indices.contains(index) else { return isNegated }
    if relation == .contains { return cells[index].contains(lowercased: word) != isNegated }
    return holds(for: CellValue(cells[index])) != isNegated
  }

  private func holds(for cell: CellValue) -> Bool {
    switch relation {
    case .contains: return cell.text.contains(lowercased: word) || cell.text.contains(lowercased: spaced)
    case .equals:
      return cell.text == word || cell.text == spaced || (cell.number != nil && cell.number == value.number)
    case .over, .atLeast, .under, .atMost: break
    }
    guard let one = cell.number, let other = value.number else { return false }
    return switch relation {
    case .over: one > other
    case .atLeast: one >= other
    case .under: one < other
    default: one <= other
    }
  }
}

extension String {
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
