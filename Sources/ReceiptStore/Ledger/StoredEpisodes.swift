import GRDB
import Subscriptions

struct StoredEpisode: StoredRow, Hashable {
  var line: Int64 = 0
  var family = FactFamily.retry
  var from = Instant.distantPast
  var current: Int64 = 0
  var until = Instant.distantPast
  var next: Instant?
  var settled: Instant?
  var kind: Int64 = 0
  var micros: Int64?
  var converted = Converted()
  var irregularUntil: Instant?
  /// Class of the purchases after the episode; `nil` if there are none, or if they are in several currencies.
  var laterKind: Int64?
  var later = FactSum()
  /// Date of the last purchase after the episode, whose amount is in `ofLast`.
  var last: Instant?
  var ofLast = FactSum()
  var expires: Instant?

  static let sql = RowSQL(Self(), "episodes", keys: 4)

  mutating func map(_ columns: inout some ColumnMapper) {
    var number = Int64(family.rawValue)
    columns.map("line_id", &line)
    columns.map("family", &number, in: StoredNumber.counts)
    if let known = FactFamily(rawValue: Int(number)) { family = known } else { columns.reject() }
    columns.map("from_ms", &from)
    columns.map("current_id", &current)
    columns.map("until_ms", &until)
    columns.map("next_ms", &next)
    columns.map("settled_ms", &settled)
    columns.map("class_id", &kind)
    columns.map("micros", &micros, in: StoredNumber.sums(of: 1))
    var sum: Converted? = converted.isZero ? nil : converted
    columns.map("converted_micros", "unconverted", &sum)
    converted = sum ?? Converted()
    columns.map("irregular_until_ms", &irregularUntil)
    columns.map("later_class_id", &laterKind)
    Self.map("later", &later, &columns)
    columns.map("last_ms", &last)
    Self.map("last", &ofLast, &columns)
    columns.map("expires_ms", &expires)
  }

  private static func map(_ name: String, _ sum: inout FactSum, _ columns: inout some ColumnMapper) {
    var count: Int64? = sum.count == 0 ? nil : sum.count
    var micros: Int128? = sum.count == 0 ? nil : sum.micros
    var converted: Converted? = sum.converted.isZero ? nil : sum.converted
    columns.map("\(name)_count", &count, in: StoredNumber.counts)
    columns.map("\(name)_micros", &micros, of: count ?? 0)
    columns.map("\(name)_converted_micros", "\(name)_unconverted", &converted, of: count ?? 0)
    sum = FactSum(count: count ?? 0, micros: micros ?? 0, converted: converted ?? Converted())
  }
}

/// Writes the changed episodes of one line, and updates the sums of their facts.
struct StoredEpisodes {
  let lineID: Int64
  let book: RollupWriter
  let db: Database

  func write(_ line: DerivedChain.DerivedLine, rowIDs: [TransactionID: Int64], isNew: Bool) throws {
    let new = try line.episodes.compactMap { try stored($0, line.line, rowIDs) }
    try StoredEpisode.write(new, replacing: isNew ? [] : fetch(), db, count: count)
  }

  /// Adds the line's facts to the sums, or subtracts them if `sign` is -1, without changing its rows.
  func count(times sign: Int64) throws { for episode in try fetch() { try count(episode, times: sign) } }

  private func count(_ episode: StoredEpisode, times sign: Int64) throws {
    guard episode.family == .retry || episode.family == .offer else { return }
    let sum = FactSum(count: 1, micros: Int128(episode.micros ?? 0), converted: episode.converted)
    book.add(sum, at: episode.from, episode.kind, in: episode.family, times: sign)
    guard let laterKind = episode.laterKind else { return }
    book.add(episode.later, at: episode.from, laterKind, in: .offerRevenue, times: sign)
  }

  private func stored(
    _ episode: Episode, _ line: Line, _ rowIDs: [TransactionID: Int64]
  ) throws -> StoredEpisode? {
    guard let current = rowIDs[line.rows[episode.row].id] else { return nil }
    let family = episode.kind.family
    var stored = StoredEpisode(
      line: lineID, family: family, from: episode.from, current: current, until: episode.until,
      next: episode.next,
      settled: [.retry, .offer, .pendingConsent].contains(family) ? episode.settled : nil,
      kind: try book.number(of: episode.kind), micros: episode.micros, converted: episode.converted,
      irregularUntil: episode.isIrregularUntil,
      expires: family == .pendingConsent ? line.rows[episode.row].expires : nil)
    guard let later = episode.later, let (currency, sum) = episode.laterInOneCurrency.first else {
      return stored
    }
    stored.laterKind = try book.number(of: episode.kind.offerRevenue(in: currency))
    stored.later = sum
    if let ofLast = later.ofLast.amounts[currency] { (stored.last, stored.ofLast) = (later.last, ofLast) }
    return stored
  }

  private func fetch() throws -> [StoredEpisode] {
    try db.rows("\(StoredEpisode.sql.select) FROM episodes WHERE line_id = ?", [lineID]) { StoredEpisode($0) }
  }
}
