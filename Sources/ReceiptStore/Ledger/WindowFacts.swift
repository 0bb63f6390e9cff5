import Subscriptions

/// Facts of the stretches of a question's window, and of the window before.
struct WindowFacts {
  typealias List = [(kind: KnownFactClass, sum: FactSum)]

  /// For each stretch of the window.
  let stretches: [List]
  let before: List
  let whole: List

  init(_ families: [FactFamily], _ window: Window, withBefore: Bool, _ facts: StoredFacts) throws {
    let earlier = Window(days: window.days, upTo: window.from)
    let ends = window.stretchEnds
    var stretches = [List](repeating: [], count: ends.count)
    var before: List = []
    var whole: StoredFacts.Sums = [:]
    for family in families {
      var start = window.from
      for (place, end) in ends.enumerated() {
        for (kind, sum) in try facts.sums(family, after: start, through: end) {
          stretches[place].append((kind, sum))
          whole[kind, default: FactSum()] += sum
        }
        start = end
      }
      guard withBefore else { continue }
      before += try facts.sums(family, after: earlier.from, through: earlier.to).map { ($0, $1) }
    }
    (self.stretches, self.before) = (stretches, before)
    self.whole = whole.map { ($0, $1) }
  }
}

/// Facts that count alike.
struct FactGroup {
  var kind: KnownFactClass
  var product: ProductID { kind.kind.product }
  var detail: String { kind.kind.detail }
  /// Of all of them together; nil where there is none.
  var amount: Money?
  var rows: Int

  init(_ kind: KnownFactClass, _ sum: FactSum) {
    self.kind = kind
    amount = kind.kind.currency.map { Money(micros: sum.micros, currency: $0) }
    rows = Int(sum.count)
  }
}

extension Sequence<(kind: KnownFactClass, sum: FactSum)> {
  /// Those of one family that a question is about.
  func groups(_ family: FactFamily, _ question: Question) -> [FactGroup] {
    compactMap { kind, sum in
      guard kind.kind.family == family, sum.count != 0, question.includes(kind.kind) else { return nil }
      return FactGroup(kind, sum)
    }
  }
}

extension Question {
  func includes(_ kind: FactClass) -> Bool {
    environment.contains(kind.environment) && includes(kind.product)
  }
}
