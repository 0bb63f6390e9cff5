import ReceiptStore
import TestSupport
import Testing

@Suite("Packed sums")
struct PackedSumsTests {
  @Test(
    arguments: [
      [], [(1, StoredSum(count: 1))],
      [(1, StoredSum()), (2, StoredSum(count: -1, before: .min, after: .max))],
      [
        (127, StoredSum(count: 63, before: 64, after: -64)), (128, StoredSum(count: -65)),
        (.max, StoredSum(after: 1)),
      ],
    ] as [[PackedSums.Element]])
  func roundTrip(_ sums: [PackedSums.Element]) throws {
    let back = try PackedSums.pack(sums).withUnsafeBytes { try PackedSums.unpack($0) }
    #expect(back.map(\.kind) == sums.map(\.kind))
    #expect(back.map(\.sum) == sums.map(\.sum))
  }

  @Test func anySumsDo() throws {
    var random = Seeded(7)
    for _ in 0..<200 {
      var kind: Int64 = 0
      let sums: [PackedSums.Element] = (0..<Int.random(in: 0...50, using: &random)).map { _ in
        kind += Int64.random(in: 1...5000, using: &random)
        func amount() -> Int64 {
          .random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random)
        }
        return (kind, StoredSum(count: amount() >> 20, before: amount(), after: amount()))
      }
      let back = try PackedSums.pack(sums).withUnsafeBytes { try PackedSums.unpack($0) }
      #expect(back.map(\.kind) == sums.map(\.kind) && back.map(\.sum) == sums.map(\.sum))
    }
  }
}
