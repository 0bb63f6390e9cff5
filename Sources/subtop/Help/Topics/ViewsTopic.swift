import ReceiptStore

extension HelpTopic {
  static let views = HelpTopic("views", "The store's views, for SQL") {
    HelpBlock.text(
      """
      The store is an ordinary SQLite file. These views keep their names and columns; the tables behind them may change. The
      `sqlite3` shell, Datasette and DuckDB read them while subtop works.

      Columns that end in `_ms` are milliseconds since 1970 in UTC, those that end in `_micros` millionths of a unit of
      currency. An empty cell is unknown, or is nothing that the row can have.

          sqlite3 -readonly ~/.local/share/subtop/subtop.sqlite \\
            "SELECT state, count(*) FROM v_lines GROUP BY state"
      """)
      + (try ReceiptStore.documentedViews().flatMap { view -> [HelpBlock] in
        [
          .heading(view.name), .paragraph("A row is \(view.meaning)."),
          .paragraph(view.columns.joined(separator: ", ")),
        ]
      })
  }
}
