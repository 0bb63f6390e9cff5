import Screen
import Subscriptions

/// Sort order, filter and hidden columns that the user chose for a list.
package struct ListOptions: Hashable, Sendable, Codable {
  package struct Sort: Hashable, Sendable, Codable {
    /// Name of a column; a list without that column keeps its own order.
    package var field: String
    package var isDescending: Bool

    package init(field: String, isDescending: Bool) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  package var sort: Sort?
  package var filter = ""
  /// Names of hidden columns; the first column identifies the rows and is never hidden.
  package var hidden: Set<String> = []
  /// Error in the filter that is being typed; the list shows no rows until it is corrected.
  var problem: String?

  private enum CodingKeys: CodingKey { case sort, filter, hidden }

  package var isEmpty: Bool { self == ListOptions() }
  /// Whether the visible rows depend on rows that may not have been read yet.
  var needsEveryRow: Bool { sort != nil || !filter.isEmpty }
}

extension ListOptions {
  /// Decodes saved options, with defaults for missing ones and for a sort order that is unreadable.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    sort = try? values.decodeIfPresent(Sort.self, forKey: .sort)
    filter = try values.decodeIfPresent(String.self, forKey: .filter) ?? ""
    hidden = try values.decodeIfPresent(Set<String>.self, forKey: .hidden) ?? []
  }
}

extension Listing {
  var fields: [String] { fieldNames.filter { !$0.isEmpty } }

  func field(_ name: String) -> String? {
    let known = columns.filter { !$0.field.isEmpty }
    return known.map(\.field).field(name, headings: known.map(\.heading))
  }

  func filter(_ text: String) throws(Filter.Problem) -> Filter {
    let known = columns + absent
    let dates = known.compactMap { column in column.dates.map { (column.field, $0) } }
    return try Filter(
      text, fields: known.map(\.field), headings: known.map(\.heading),
      dates: Dictionary(dates) { first, _ in first })
  }

  /// Returns the list sorted, filtered (unless the filter is invalid) and without hidden columns.
  func arranged(by arrangement: ListOptions) -> Listing {
    guard !arrangement.isEmpty else { return self }
    var listing = self
    var order = Array(rows.indices)
    if let filter = try? filter(arrangement.filter), !filter.isEmpty {
      order = matching(filter)
      let text = filter.text.withoutSecrets
      let none = total == nil ? "No row" : "None of the \(CountText.of(rows.count)) rows read so far"
      listing.emptyText = "\(none) matches \(text)."
      listing.filterText = text
    }
    if let problem = arrangement.problem { (order, listing.emptyText) = ([], problem.sentenceCase) }
    if let sort = arrangement.sort, let column = fieldNames.firstIndex(of: sort.field) {
      // Equal rows keep the list's own order.
      let (keys, currencies) = sortKeys(of: column)
      order.sort { left, right in
        let (one, other) = (keys[left], keys[right])
        if one.isMissing != other.isMissing { return other.isMissing }
        if one < other { return !sort.isDescending }
        return other < one ? sort.isDescending : left < right
      }
      listing.mark(SortMark(column: column, isDescending: sort.isDescending), currencies: currencies)
    }
    listing.show(order)
    listing.hide(arrangement.hidden)
    return listing
  }

  /// Returns the sort keys of the rows and, for several currencies, words for the title such as ` in EUR`.
  ///
  /// Amounts in several currencies are compared in the reporting currency if all of them could be converted.
  private func sortKeys(of column: Int) -> (keys: [CellValue], currencies: String) {
    let keys = rows.map { CellValue($0.cells.indices.contains(column) ? $0.cells[column].text : "") }
    guard Set(keys.map(\.currency).filter { !$0.isEmpty }).count > 1 else { return (keys, "") }
    let worths = rows.map { self[row: $0.id]?.worths[fieldNames[column]] }
    let converted = zip(worths, keys).map { worth, key in key.isMissing ? key : worth.map { CellValue($0) } }
    guard let reporting = worths.lazy.compactMap(\.self).first?.currency, !converted.contains(nil) else {
      return (keys, " within each currency")
    }
    return (converted.compactMap(\.self), " in \(reporting)")
  }

  /// Returns the index of the next matching row (`step` 1) or previous one (-1); `nil` if no row matches.
  ///
  /// - Parameter start: Row to search from, with wraparound; `nil` searches from the first or the last row.
  func match(of text: String, from start: Int?, by step: Int) -> Int? {
    guard let filter = try? filter(text), !filter.isEmpty else { return nil }
    let found = matching(filter)
    guard let start else { return step > 0 ? found.first : found.last }
    return step > 0
      ? found.first { $0 > start } ?? found.first : found.last { $0 < start } ?? found.last
  }

  func matching(_ filter: Filter) -> [Int] {
    let (fields, meanings) = (fieldNames, meanings)
    return rows.indices.filter {
      filter.matches(rows[$0].cells.map(\.text), fields: fields, meanings: meanings)
    }
  }
}
