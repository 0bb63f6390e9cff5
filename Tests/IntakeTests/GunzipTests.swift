import CZlib
import Intake
import Subscriptions
import Testing

@Suite("Compressed reports") struct GunzipTests {
  private static let text = Array(
    ([ReportCases.events] + (1...2000).map { "2026-02-18|Renew|\($0)|US|||\($0)" })
      .joined(separator: "\n").replacing("|", with: "\t").utf8)
  private static let name = "Subscription_Event_85012345_20260218.txt.gz"

  @Test(arguments: [1, 7, 16, 1000, .max])
  func areReadInPieces(_ size: Int) {
    let plain = AppleReportsFile.read(Self.text, named: Self.name)
    #expect(plain.badLines == [] && plain.items.count == 2002)
    #expect(Self.read(Gzip.compressed(Self.text), in: size) == (plain.items, []))
  }

  /// A gzip file may consist of several members, which together are one text.
  @Test func ofSeveralMembers() {
    let half = Self.text.count / 2
    let bytes = Gzip.compressed(Array(Self.text[..<half])) + Gzip.compressed(Array(Self.text[half...]))
    #expect(Self.read(bytes, in: 333).0 == AppleReportsFile.read(Self.text, named: Self.name).items)
  }

  static let faults: [(String, [UInt8], String)] = {
    let bytes = Gzip.compressed(text)
    var damaged = bytes
    damaged[bytes.count - 6] ^= 1
    return [
      ("cut off", Array(bytes.dropLast(9)), "the compressed file is cut off; download it again"),
      ("cut in its head", Array(bytes.prefix(5)), "the compressed file is cut off; download it again"),
      ("a wrong checksum", damaged, "the compressed file is damaged; download it again"),
      ("more behind it", bytes + Array("more".utf8), "the compressed file is damaged; download it again"),
      (
        "compressed twice", Gzip.compressed(bytes),
        "it is compressed with gzip; run `zcat FILE | subtop import apple-reports -`"
      ),
      ("empty", Gzip.compressed([UInt8]()), "the file is empty"),
    ]
  }()

  @Test(arguments: faults) func thatAreDamagedAreRefused(_ name: String, _ bytes: [UInt8], _ reason: String) {
    for size in [3, Int.max] {
      let bad = Self.read(bytes, in: size).1
      #expect(bad.last?.hasSuffix(": \(reason)") == true, "\(bad)")
    }
  }

  /// About 100 MB that are compressed to less than 200 kB, with every row within the limits.
  @Test func aBombIsRefused() {
    let row = Array("2026-02-18\tRenew\t1\tUS\t\t\(String(repeating: "x", count: 60_000))\t1\n".utf8)
    let header = Self.text.prefix { $0 != 0x0A } + [0x0A]
    let bytes = Gzip.compressed([Array(header)] + Array(repeating: row, count: 1700))
    #expect(bytes.count < 200_000)
    let (items, bad) = Self.read(bytes, in: 10_000)
    #expect(bad.last?.hasSuffix("it expands to more than 200 times its size, which no report does") == true)
    #expect(items.count < 1300, "the rest was not read")
  }

  private static func read(_ bytes: [UInt8], in size: Int) -> ([AppleReportItem], [String]) {
    var rest = bytes[...]
    var lines = LineStream<Never>(named: name) {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
    var (items, bad): ([AppleReportItem], [String]) = ([], [])
    AppleReportsFile.read(&lines) { number, content in
      switch content {
      case .item(let item): items.append(item)
      case .bad(let reason): bad.append("line \(number): \(reason)")
      case .remark: break
      }
    }
    return (items, bad)
  }
}

enum Gzip {
  static func compressed(_ bytes: [UInt8]) -> [UInt8] { compressed([bytes]) }

  static func compressed(_ pieces: [[UInt8]]) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer {
      deflateEnd(stream)
      stream.deallocate()
    }
    deflateInit2_(
      stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    var output: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 16)
    for (index, piece) in pieces.enumerated() {
      var piece = piece
      piece.withUnsafeMutableBufferPointer { input in
        (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, UInt32(input.count))
        room.withUnsafeMutableBufferPointer { room in
          repeat {
            (stream.pointee.next_out, stream.pointee.avail_out) = (room.baseAddress, UInt32(room.count))
            deflate(stream, index == pieces.count - 1 ? Z_FINISH : Z_NO_FLUSH)
            output += room.prefix(room.count - Int(stream.pointee.avail_out))
          } while stream.pointee.avail_out == 0
        }
      }
    }
    return output
  }
}
