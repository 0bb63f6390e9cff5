import Synchronization

/// Number of a text, the same for equal texts within the process. A reconciliation looks up hundreds of
/// thousands of keys of a few names, and numbers are found several times faster than texts.
struct Name: Hashable, Sendable {
  private let number: UInt32

  private struct Table {
    var numbers: [String: UInt32] = [:]
    var texts = [""]
  }

  private static let table = Mutex(Table())

  init(_ text: String?) {
    guard let text else {
      number = 0
      return
    }
    number = Self.table.withLock { table in
      if let number = table.numbers[text] { return number }
      let number = UInt32(table.texts.count)
      table.texts.append(text)
      table.numbers[text] = number
      return number
    }
  }

  /// `nil` for the name of a missing text.
  var text: String? { number == 0 ? nil : Self.table.withLock { $0.texts[Int(number)] } }

  /// Ranks of the names known now, in the order of their texts.
  struct Order {
    private let ranks: [UInt32]

    init() {
      let texts = Name.table.withLock { $0.texts }
      var ranks = [UInt32](repeating: 0, count: texts.count)
      for (rank, number) in texts.indices.sorted(by: { texts[$0] < texts[$1] }).enumerated() {
        ranks[number] = UInt32(rank)
      }
      self.ranks = ranks
    }

    func rank(_ name: Name) -> UInt32 { ranks[Int(name.number)] }
  }
}
