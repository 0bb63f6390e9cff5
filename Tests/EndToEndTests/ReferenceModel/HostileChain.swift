import TestSupport

extension Seeded {
  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}

/// Transaction that is implausible but valid.
struct HostileRow {
  var id: String
  var order: String?
  var product: String
  var group: String
  var start: Int
  var end: Int
  var cancelled: Int?
  /// Refund date in the last observation, if different.
  var redated: Int?
  var reason: String?
  var isUpgraded = false
  var marks: [(String, String)] = []
  var isShared = false
  var isOneTime = false
  /// Purchase date of a one-time purchase that was restored at `start`.
  var originalStart: Int?
  var isWithoutGroup = false
  /// Expiry before the last observation.
  var earlierEnd: Int?
  /// Whether the last observation omits the cancellation.
  var isTakenBack = false
  /// Signed price in thousandths of a dollar, if this is a second id of a purchase.
  var signedPrice: Int?
}

/// Chain whose dates are half days, some of them off by a millisecond, to hit every boundary.
struct HostileChain {
  let id: String
  let user: String?
  /// Another user whose import contained the receipt once.
  let guest: String?
  let isSandbox: Bool
  var rows: [HostileRow] = []
  var observations: [Int] = []
  /// Signed copies of purchases under another id, with a price and sometimes a later expiry.
  private(set) var signedRows: [HostileRow] = []

  static let halfDay = 12 * ReferenceModel.hour
  /// 2025-06-01T00:00:00Z, the latest observation.
  static let now = 1_748_736_000_000

  private var nextRow = 0

  init(number: Int, using generator: inout Seeded) {
    id = "\(7_000_000_000 + number * 1000)"
    user = generator.chance(75) ? "user-\(Int.random(in: 0..<70, using: &generator))" : nil
    guest = user != nil && generator.chance(5) ? "guest-\(number)" : nil
    isSandbox = generator.chance(10)
    buy(group: generator.one(of: ["g1", "g1", "g2"]), using: &generator)
    if generator.chance(6) { buy(group: generator.one(of: ["g1", "g2"]), using: &generator) }
    share(using: &generator)
    if generator.chance(5) {
      for index in rows.indices {
        rows[index].isOneTime = true
        rows[index].order = nil
        rows[index].originalStart = rows[index].start
      }
      restore(using: &generator)
    }
    observations = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
      Self.now - Self.halfDay * Int.random(in: 0...300, using: &generator)
    }
    if generator.chance(60) { observations.append(Self.now - Int.random(in: 0...1, using: &generator)) }
    observations = Set(observations).sorted()
  }

  private mutating func restore(using generator: inout Seeded) {
    for row in rows where generator.chance(40) {
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        var copy = row
        copy.id = newID()
        copy.start += Self.halfDay * Int.random(in: 0...20, using: &generator)
        rows.append(copy)
      }
    }
  }

  private mutating func share(using generator: inout Seeded) {
    let percent = generator.chance(5) ? 100 : user != nil && generator.chance(10) ? 50 : 0
    for index in rows.indices where generator.chance(percent) { rows[index].isShared = true }
  }

  private mutating func buy(group: String, using generator: inout Seeded) {
    var bought: [HostileRow] = []
    var start = 0
    for _ in 0..<Int.random(in: 1...9, using: &generator) {
      bought.append(row(group: group, at: start, using: &generator))
      start = following(bought[bought.count - 1], using: &generator)
    }
    let last = bought.map(\.end).max() ?? 0
    let shift = Self.now + Self.halfDay * Int.random(in: -150...60, using: &generator) - last
    for index in bought.indices {
      bought[index].start += shift
      bought[index].end += shift
      bought[index].earlierEnd = bought[index].earlierEnd.map { $0 + shift }
    }
    for index in bought.indices { cancel(&bought, index, using: &generator) }
    let duplicates = bought.filter { _ in generator.chance(4) }.map { row in
      var copy = row
      copy.id = newID() + generator.one(of: ["", "0"])
      return copy
    }
    rows += bought + duplicates
  }

  mutating func sign(using generator: inout Seeded) {
    for row in answerRows
    where row.order != nil && row.earlierEnd == nil && !row.isShared && row.marks.isEmpty
      && row.start <= (observations.last ?? 0) && generator.chance(3)
    {
      var copy = row
      copy.id = newID() + generator.one(of: ["", "0"])
      copy.signedPrice = generator.one(of: [4990, 12_340])
      copy.end += generator.one(of: [0, 0, 28]) * Self.halfDay
      signedRows.append(copy)
    }
  }

  private mutating func newID() -> String {
    nextRow += 1
    return nextRow == 1 ? id : "\((Int(id) ?? 0) + nextRow)"
  }

  private mutating func row(
    group: String, at start: Int, using generator: inout Seeded
  ) -> HostileRow {
    let product = generator.one(of: HostileCatalog.products[group] ?? [])
    let length =
      product.days * ReferenceModel.day
      + generator.one(of: [0, 0, 0, 1, -1, ReferenceModel.hour, -ReferenceModel.hour])
    let id = newID()
    let order = generator.chance(60) ? "9\(id)" : nil
    var row = HostileRow(
      id: id, order: order, product: product.id, group: group, start: start, end: start + length)
    row.marks = generator.one(
      of: [
        [], [], [], [], [("is_trial_period", "true")], [("is_in_intro_offer_period", "true")],
        [("is_trial_period", "true"), ("is_in_intro_offer_period", "true")],
        [("promotional_offer_id", "deal")],
        [("offer_code_ref_name", "SPRING"), ("promotional_offer_id", "deal")],
        [("offer_code_ref_name", "LOST")],
      ])
    row.isWithoutGroup = generator.chance(8)
    if generator.chance(5) { row.earlierEnd = row.end - generator.one(of: [1, 2, 30]) * Self.halfDay }
    return row
  }

  /// Start of the row after `row`: at its end, around the boundaries of a gap, or within the row.
  private func following(_ row: HostileRow, using generator: inout Seeded) -> Int {
    let day = ReferenceModel.day
    let inside =
      row.start + Self.halfDay * Int.random(in: 0...((row.end - row.start) / Self.halfDay), using: &generator)
    let gaps = [
      0, 0, 0, 0, 0, 1, -day, -day - 1, -ReferenceModel.hour, day, day - 1, day + 1, 7 * day, 59 * day,
      60 * day,
      60 * day + 1, 60 * day - 1, 61 * day, 100 * day,
    ]
    return generator.chance(25) ? inside : row.end + generator.one(of: gaps)
  }

  private func cancel(_ bought: inout [HostileRow], _ index: Int, using generator: inout Seeded) {
    let row = bought[index]
    let day = ReferenceModel.day
    let next = index + 1 < bought.count ? bought[index + 1].start : row.end
    let middle =
      row.start + Self.halfDay * Int.random(in: 0...((row.end - row.start) / Self.halfDay), using: &generator)
    if generator.chance(next < row.end && next > row.start - day ? 60 : 4) {
      bought[index].isUpgraded = true
      let dates: [Int?] = [
        nil, next, next + 6000, next + 5 * ReferenceModel.hour, next + 3 * day, next - 1, row.end + day,
      ]
      bought[index].cancelled = generator.one(of: dates)
    } else if generator.chance(10) {
      bought[index].cancelled = generator.one(of: [
        middle, row.end, row.end + 1, row.end + 9 * day, row.start,
      ])
      bought[index].reason = generator.one(of: ["0", "1", nil])
      bought[index].isTakenBack = generator.chance(10)
      if generator.chance(20) { bought[index].redated = generator.one(of: [middle, row.end + Self.halfDay]) }
    }
  }
}
