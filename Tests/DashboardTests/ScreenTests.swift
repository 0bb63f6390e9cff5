import Dashboard
import Screen
import Subscriptions
import Testing

/// One screen, how it is reached, and the sizes it is kept at.
struct Scene: CustomTestStringConvertible, Sendable {
  let name: String
  let keys: [String]
  var isASCII = false
  var isReadOnly = false

  init(_ name: String, _ keys: String..., isASCII: Bool = false, isReadOnly: Bool = false) {
    self.name = name
    self.keys = keys
    self.isASCII = isASCII
    self.isReadOnly = isReadOnly
  }

  var testDescription: String { name }

  func bench(_ size: Size) -> Bench {
    var bench = Bench.opened(
      size.columns, size.rows, glyphs: isASCII ? .ascii : .unicode, isReadOnly: isReadOnly)
    for key in keys { bench.press(key) }
    return bench
  }

  static let all = [
    Scene("overview"), Scene("active", "2"), Scene("billing-retry", "3"), Scene("churn", "4"),
    Scene("refunds", "5"), Scene("upgrades", "6"), Scene("events", "7"),
    Scene("chain", "3", "j", "enter"), Scene("found", "/", "user-4821", "enter"),
    Scene("find", "/", "user-48"),
    Scene("help", "?"),
  ]
}

@Suite("Screens") struct ScreenTests {
  static let sizes = [
    Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 40, rows: 10),
  ]

  @Test("look as they are kept", arguments: Scene.all, sizes)
  func kept(_ scene: Scene, _ size: Size) {
    Golden.expect(scene.bench(size).canvas, "\(scene.name)-\(size.columns)x\(size.rows)")
  }
}
