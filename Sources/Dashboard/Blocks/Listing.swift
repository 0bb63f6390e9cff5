import Screen
import Subscriptions

/// A table's columns and rows, and what Enter on a row opens.
public struct Listing: Hashable, Sendable {
  /// What Enter on a row leads to.
  public enum Opening: Hashable, Sendable {
    case chain(OriginalTransactionID)
    /// The panel of this product alone.
    case product(ProductID)
    /// One of the chains that were found, by its place among them.
    case found(Int)
    /// Nothing, and the sentence that says why.
    case nothing(String)
  }

  public struct Row: Hashable, Sendable {
    public var id: String
    public var cells: [StyledText]
    public var opening: Opening?

    public init(id: String, _ cells: [StyledText], opening: Opening? = nil) {
      self.id = id
      self.cells = cells
      self.opening = opening
    }
  }

  public private(set) var columns: [TableColumn]
  public private(set) var rows: [TableRow]
  public private(set) var openings: [String: Opening] = [:]
  /// All rows there are, where the list holds only some of them.
  public var total: Int?
  public var emptyText: String

  init(
    _ columns: [ListingColumn], _ rows: [Row], total: Int? = nil, emptyText: String, in glyphs: GlyphSet
  ) {
    var seen: [String: Int] = [:]
    self.rows = rows.map { row in
      let count = seen[row.id, default: 0]
      seen[row.id] = count + 1
      return TableRow(id: count == 0 ? row.id : "\(row.id)#\(count)", row.cells)
    }
    for (row, drawn) in zip(rows, self.rows) { openings[drawn.id] = row.opening }
    self.columns = columns.enumerated().map { index, column in
      column.fitted(to: rows.lazy.compactMap { $0.cells.dropFirst(index).first }, in: glyphs)
    }
    self.total = total
    self.emptyText = emptyText
  }

  func table(selected: String?, offset: Int) -> Table {
    Table(
      columns: columns, rows: rows, selected: selected, offset: offset, emptyText: StyledText(emptyText, .dim)
    )
  }

  /// Columns that show every cell whole.
  var naturalColumns: Int { columns.reduce(max(0, columns.count - 1) * 2) { $0 + $1.ideal } }
}
