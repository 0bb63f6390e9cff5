import Screen
import Subscriptions

/// How somebody wants to see a list: which of its rows, in which order.
package struct Arrangement: Hashable, Sendable {
  package struct Sort: Hashable, Sendable {
    /// A column's name; a list without it keeps its own order.
    package var field: String
    package var isDescending: Bool

    package init(field: String, isDescending: Bool) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// Nil keeps the list's own order.
  package var sort: Sort?
  /// As it was typed; empty shows every row.
  package var filter = ""
  /// Columns left out, by their names; never the first, which says what a row is about.
  package var hidden: Set<String> = []

  package var isEmpty: Bool { sort == nil && filter.isEmpty && hidden.isEmpty }
  /// Whether what shows depends on every row that there is.
  var needsEveryRow: Bool { sort != nil || !filter.isEmpty }
}

extension Listing {
  /// The columns' names as filters and sorts know them.
  var fields: [String] { fieldNames.filter { !$0.isEmpty } }

  /// What a text filters by here.
  func filter(_ text: String) throws(Filter.Problem) -> Filter {
    try Filter(text, fields: fieldNames + absentFields)
  }

  /// The list as somebody wants to see it. A filter that this list does not understand leaves nothing out.
  func arranged(by arrangement: Arrangement) -> Listing {
    guard !arrangement.isEmpty else { return self }
    var listing = self
    var order = Array(rows.indices)
    if let filter = try? filter(arrangement.filter), !filter.isEmpty {
      order = order.filter { matches(rows[$0], filter) }
      let text = filter.text.withoutSecrets
      let read = total == nil ? "" : " of the \(CountText.of(rows.count)) that were read"
      listing.emptyText = "No row\(read) matches \(text)."
      listing.filterText = text
    }
    if let sort = arrangement.sort, let column = fieldNames.firstIndex(of: sort.field) {
      // Rows that are equal keep the list's own order.
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

  /// What rows are sorted by in a column, and what is to be said of it: what they are worth in the reporting currency where that is known
  /// of all amounts in several, else what stands in their cells.
  private func sortKeys(of column: Int) -> (keys: [CellValue], currencies: String) {
    let keys = rows.map { CellValue($0.cells.indices.contains(column) ? $0.cells[column].text : "") }
    guard Set(keys.map(\.currency).filter { !$0.isEmpty }).count > 1 else { return (keys, "") }
    let worths = worths[fieldNames[column]] ?? [:]
    let converted = zip(rows, keys).map { row, key in
      key.isMissing ? key : worths[row.id].map { CellValue($0) }
    }
    guard let reporting = worths.values.first?.currency, !converted.contains(nil) else {
      return (keys, " within each currency")
    }
    return (converted.compactMap(\.self), " in \(reporting)")
  }

  /// The next row that a filter matches, round and round; nil where none does, or where it is not understood or lets all pass.
  ///
  /// - Parameters:
  ///   - start: the place to begin beside; nil is before the first.
  ///   - step: 1 or -1.
  func match(of text: String, from start: Int?, by step: Int) -> Int? {
    guard let filter = try? filter(text), !filter.isEmpty, !rows.isEmpty else { return nil }
    var place = start ?? (step > 0 ? -1 : 0)
    for _ in rows.indices {
      place = (place + step + rows.count) % rows.count
      if matches(rows[place], filter) { return place }
    }
    return nil
  }
}
