/// Something that figures count by a date of its own: METRICS §5. Changes of position are counted by themselves (`Change`).
public struct Fact: Hashable, Sendable {
  public var at: Instant
  public var kind: FactClass
  public var sum: FactSum

  public init(_ at: Instant, _ kind: FactClass, _ sum: FactSum = FactSum(count: 1)) {
    self.at = at
    self.kind = kind
    self.sum = sum
  }
}

/// How many, and how much in the currency of the class. Sums wrap around, so that what was added can be taken off again.
public struct FactSum: Hashable, Sendable {
  public var count: Int64
  public var micros: Int64

  public init(count: Int64 = 0, micros: Int64 = 0) {
    self.count = count
    self.micros = micros
  }

  public var isZero: Bool { count == 0 && micros == 0 }

  public static func += (left: inout FactSum, right: FactSum) {
    left.count &+= right.count
    left.micros &+= right.micros
  }

  public static prefix func - (sum: FactSum) -> FactSum {
    FactSum(count: 0 &- sum.count, micros: 0 &- sum.micros)
  }
}

/// What looks otherwise at the end of a window than the sums say, which know of no instant.
public struct Correction: Sendable {
  /// A stretch of the window.
  public var place: Int
  public var kind: FactClass
  public var sum: FactSum

  public init(place: Int, kind: FactClass, sum: FactSum) {
    self.place = place
    self.kind = kind
    self.sum = sum
  }
}
