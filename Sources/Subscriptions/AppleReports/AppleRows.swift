/// Rows of Apple's reports, each with the index of its report and of a *shape*: values that many rows share.
public struct AppleRows: Sendable {
  struct Entry: Sendable {
    /// Index in `reports`.
    var report: Int
    /// Index in `shapes`.
    var shape: Int
    /// `AppleReportRow.day`, in days since 1970.
    var day: Int
    var units: Int64
    /// Amount in micros; `nil` if the report has none.
    var amount: Int128?

    /// Number of transactions, which is 1 for an upgrade credit.
    var count: Int64 { max(1, Int64(clamping: units.magnitude)) }
  }

  private(set) var reports: [AppleReport] = []
  /// Measure, product, storefront, price and currency of many rows; the other fields are not used.
  private(set) var shapes: [AppleReportRow] = []
  private(set) var entries: [Entry] = []
  /// Index in `entries` of each entry of the last report, by shape and day packed into one number.
  private var known: [Int: Int] = [:]

  public init() {}

  public init(_ rows: [DatedAppleRow]) {
    for entry in rows {
      if reports.last != entry.report { begin(entry.report) }
      let shape = add(shape: entry.row)
      add(shape, on: entry.row.day.daysSince1970, units: entry.row.units, amount: entry.row.amount?.micros)
    }
  }

  public mutating func begin(_ report: AppleReport) {
    reports.append(report)
    known.removeAll(keepingCapacity: true)
  }

  /// Adds values that many rows share (a shape), and returns their index.
  public mutating func add(shape: AppleReportRow) -> Int {
    shapes.append(shape)
    return shapes.count - 1
  }

  /// Adds a row to the last report, or adds its units and amount to that report's row of this shape and day.
  public mutating func add(_ shape: Int, on day: Int, units: Int64, amount: Int128?) {
    if let place = known[shape << 32 | day] {
      entries[place].units = Int64(clamping: Int128(entries[place].units) + Int128(units))
      if let amount { entries[place].amount = (entries[place].amount ?? 0) + amount }
    } else {
      known[shape << 32 | day] = entries.count
      entries.append(
        Entry(report: reports.count - 1, shape: shape, day: day, units: units, amount: amount))
    }
  }

  /// Calls `body` with each row of the reports of `kind`, and with its report's last day (days since 1970).
  func forEach(_ kind: AppleReportKind, _ body: (Entry, _ through: Int) -> Void) {
    let days = reports.map { $0.kind == kind ? $0.through.daysSince1970 : nil }
    for entry in entries {
      if let through = days[entry.report] { body(entry, through) }
    }
  }
}

/// Figures and keys of `AppleRows.shapes`, computed once for each shape.
struct AppleShapes {
  struct Shape {
    var measure: AppleMeasure
    var balance: ReconciledFigure?
    var event: ReconciledFigure?
    var money: ReconciledFigure?
    /// Whether the measure ends with "grace period"; `isOfRetry` is true if it ends with "billing retry".
    var isOfGrace = false
    var isOfRetry = false
    /// Key with the product and storefront; its figure and day are meaningless.
    var place: ReconciledKey
    var currency: Int32
    /// Key of the shape's transactions, without their day; `nil` unless they are sales or refunds.
    var transaction: TransactionKey?
  }

  private(set) var all: [Shape] = []

  init(_ rows: AppleRows, _ names: inout ReconciledNames) {
    var known: [AppleMeasure: Shape] = [:]
    for row in rows.shapes {
      var shape = known[row.measure] ?? Self.shape(row.measure)
      known[row.measure] = shape
      shape.place = names.key(.units, 0, row.product, row.storefront)
      shape.currency = names.number(of: row.amount?.currency ?? row.price?.currency)
      shape.transaction = TransactionKey(row)
      all.append(shape)
    }
  }

  private static func shape(_ measure: AppleMeasure) -> Shape {
    let end = AppleColumn.words(measure.rawValue).suffix(2)
    return Shape(
      measure: measure, balance: ReconciledFigure(balance: measure), event: ReconciledFigure(event: measure),
      money: ReconciledFigure(money: measure), isOfGrace: end == ["grace", "period"],
      isOfRetry: end == ["billing", "retry"], place: ReconciledKey(.units, 0), currency: 0)
  }

  subscript(entry: AppleRows.Entry) -> Shape {
    _read { yield all[entry.shape] }
  }

  func key(_ figure: ReconciledFigure, _ day: Int, _ entry: AppleRows.Entry) -> ReconciledKey {
    var key = all[entry.shape].place.with(figure, on: day)
    if figure.isMoney { key.currency = all[entry.shape].currency }
    return key
  }
}
