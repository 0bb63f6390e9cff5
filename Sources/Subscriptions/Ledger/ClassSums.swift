/// Sum that a ledger keeps for each class. Amounts have 128 bits: with prices up to 10^15 micros, no number
/// of rows overflows them.
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

/// Sums by class, where a class is identified by its index. A class may occur several times, each time with a
/// part of its sum.
public struct ClassSums<Class: Hashable & Sendable, Sum: LedgerSum>: Sendable {
  public typealias Part = (place: Int, sum: Sum)

  /// Classes by index; `nil` if the index is unused. A ledger never reassigns an index, but may append new
  /// ones.
  public let classes: [Class?]
  public private(set) var parts: [Part]

  public init(classes: [Class?], parts: [Part] = []) {
    self.classes = classes
    self.parts = parts
    // Typical number of parts for a day of a store with a million lines.
    if parts.isEmpty { self.parts.reserveCapacity(1000) }
  }

  public mutating func add(_ sum: Sum, at place: Int) { parts.append((place, sum)) }

  /// Returns the sums with each class at most once.
  public var byPlace: Self {
    var sums = Array(repeating: Sum(), count: classes.count)
    for (place, sum) in parts { sums[place] += sum }
    return ClassSums(
      classes: classes, parts: sums.indices.compactMap { sums[$0].isZero ? nil : ($0, sums[$0]) })
  }

  public var byClass: [Class: Sum] {
    var byClass = [Class: Sum](minimumCapacity: classes.count)
    for (place, sum) in byPlace.parts {
      if let kind = classes[place] { byClass[kind] = sum }
    }
    return byClass
  }
}
