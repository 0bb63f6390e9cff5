import GRDB

/// Encoding of the sums of one bucket as a row of `sums`.
///
/// Each class, in order of its number, has four integers: the difference from the previous class number, the
/// count, and the two amounts. An integer has seven bits per byte, lowest first; count and amounts have their
/// sign in the lowest bit.
///
/// With a million lines, about two thousand classes change per day. With one row per class, reading two
/// months took longer than everything else in a panel.
package enum PackedSums {
  package typealias Element = (kind: Int64, sum: StoredSum)

  /// - Parameter sums: Sums in the order of their classes, which are numbered from 1.
  package static func pack(_ sums: [Element]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(sums.count * 12)
    func add(_ number: UInt64) {
      var rest = number
      while rest > 0x7f {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    func add(signed number: Int64) { add(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }
    var last: Int64 = 0
    for (kind, sum) in sums {
      add(UInt64(bitPattern: kind &- last))
      add(signed: sum.count)
      add(signed: sum.before)
      add(signed: sum.after)
      last = kind
    }
    return bytes
  }

  static func forEach(_ bytes: UnsafeRawBufferPointer, _ body: (Int64, StoredSum) throws -> Void) throws {
    var place = 0
    var kind: Int64 = 0
    while place < bytes.count {
      guard let step = number(bytes, &place), step != 0, let count = signed(bytes, &place),
        StoredNumber.counts.contains(count), let before = signed(bytes, &place),
        let after = signed(bytes, &place)
      else { throw malformed }
      kind &+= Int64(bitPattern: step)
      try body(kind, StoredSum(count: count, before: before, after: after))
    }
  }

  package static func unpack(_ bytes: UnsafeRawBufferPointer) throws -> [Element] {
    var sums: [Element] = []
    try forEach(bytes) { sums.append(($0, $1)) }
    return sums
  }

  /// Returns `sums` + `new` - `old` by class, without zeros; throws `StoreError` if a sum is too large.
  package static func adding(_ sums: [Element], _ new: [Element], minus old: [Element]) throws -> [Element] {
    var total: [Int64: StoredSum] = [:]
    for (sign, elements) in [(1, sums), (1, new), (-1, old)] as [(Int64, [Element])] {
      for (kind, sum) in elements {
        let signed = StoredSum(count: sum.count &* sign, before: sum.before &* sign, after: sum.after &* sign)
        guard let added = (total[kind] ?? StoredSum()).adding(signed) else {
          throw StoreError("the sum of all parts is larger than any that subtop computes")
        }
        total[kind] = added
      }
    }
    return total.filter { !$0.value.isZero }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> UInt64? {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count, shift < 64 {
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
      shift += 7
    }
    return nil
  }

  private static func signed(_ bytes: UnsafeRawBufferPointer, _ place: inout Int) -> Int64? {
    number(bytes, &place).map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }

  private static var malformed: DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a packed sum is malformed")
  }
}
