extension Colour {
  private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

  /// Reads `#7EC77B`, and the sixteen colours that are the user's own: `red`, `bright-red`. Nil for anything else.
  public init?(named name: String) {
    if name.hasPrefix("#") {
      let digits = name.dropFirst()
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit), let rgb = Int32(digits, radix: 16) else {
        return nil
      }
      self.init(rgb: rgb)
    } else {
      let isBright = name.hasPrefix("bright-")
      guard let basic = Self.names.firstIndex(of: isBright ? String(name.dropFirst(7)) : name) else {
        return nil
      }
      self.init(Int32(basic), bright: isBright)
    }
  }

  /// With what comes nearest to it of 256 colours, and the one of the same hue where there are fewer.
  init(rgb: Int32) {
    let (red, green, blue) = (rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255)
    let (low, high) = (min(red, green, blue), max(red, green, blue))
    let isGrey = (high - low) * 4 < high
    let half = (low + high) / 2
    func bit(_ part: Int32, _ value: Int32) -> Int32 { part > half ? value : 0 }
    let hue = bit(red, 1) + bit(green, 2) + bit(blue, 4)
    self.init(
      isGrey ? (high < 96 ? 0 : 7) : hue, bright: isGrey ? high > 230 : low > 96,
      exact: Self.nearest(red, green, blue), rgb: rgb)
  }

  /// Of xterm's cube of 6 × 6 × 6 and its 24 greys: the first sixteen are the user's own.
  private static func nearest(_ red: Int32, _ green: Int32, _ blue: Int32) -> Int32 {
    let levels: [Int32] = [0, 95, 135, 175, 215, 255]
    func place(_ part: Int32) -> Int {
      levels.indices.min { abs(levels[$0] - part) < abs(levels[$1] - part) } ?? 0
    }
    func distance(_ one: Int32, _ two: Int32, _ three: Int32) -> Int32 {
      (one - red) * (one - red) + (two - green) * (two - green) + (three - blue) * (three - blue)
    }
    let cube = (place(red), place(green), place(blue))
    let step = min(max(((red + green + blue) / 3 - 3) / 10, 0), 23)
    let grey = 8 + step * 10
    if distance(grey, grey, grey) < distance(levels[cube.0], levels[cube.1], levels[cube.2]) {
      return 232 + step
    }
    return Int32(16 + 36 * cube.0 + 6 * cube.1 + cube.2)
  }
}
