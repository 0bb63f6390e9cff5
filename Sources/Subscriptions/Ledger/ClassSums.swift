/// What is added up by class. Amounts are of 128 bits: with prices of at most 10^15 micros no number of rows makes them overflow.
public protocol LedgerSum: Hashable, Sendable {
  init()
  static func += (left: inout Self, right: Self)
  static prefix func - (sum: Self) -> Self
}

extension LedgerSum {
  public var isZero: Bool { self == Self() }

  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum += right
    return sum
  }

  static func -= (left: inout Self, right: Self) { left += -right }
}

/// Sums by class, told by the places of the classes. A class may come several times, each with a part of its sum: what is made of them
/// adds up all the same.
public struct ClassSums<Class: Hashable & Sendable, Sum: LedgerSum>: Sendable {
  public typealias Part = (place: Int, sum: Sum)

  /// The ledger's classes by their places; nil where there is none. One ledger never gives a place to another class, though it may add
  /// places at the end.
  public let classes: [Class?]
  public private(set) var parts: [Part]

  public init(classes: [Class?], parts: [Part] = []) {
    self.classes = classes
    self.parts = parts
    // As many as change in a day at a million lines.
    if parts.isEmpty { self.parts.reserveCapacity(1000) }
  }

  public mutating func add(_ sum: Sum, at place: Int) { parts.append((place, sum)) }

  /// The same with no class twice.
  public var byPlace: Self {
    var sums = Array(repeating: Sum(), count: classes.count)
    for (place, sum) in parts { sums[place] += sum }
    return ClassSums(
      classes: classes, parts: sums.indices.compactMap { sums[$0].isZero ? nil : ($0, sums[$0]) })
  }

  /// Each class that comes to anything.
  public var byClass: [Class: Sum] {
    var byClass = [Class: Sum](minimumCapacity: classes.count)
    for (place, sum) in byPlace.parts {
      if let kind = classes[place] { byClass[kind] = sum }
    }
    return byClass
  }
}
