/// Columns that a character takes on a terminal.
///
/// Our own figures and not libc's `wcwidth`, which depends on the machine's locale and Unicode version:
/// a screen must look the same in every test. Ambiguous characters (East Asian Width A) count as 1.
package enum ScalarWidth {
  /// Columns of one scalar: 0 for combining marks and format characters, 2 for East Asian wide ones.
  package static func of(_ scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return isControl(scalar) || value == 0xAD ? 0 : 1 }
    if isConjoiningJamo(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(value) ? 2 : 1
    }
  }

  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  /// Vowels and finals of a decomposed Hangul syllable, which stand inside the cell of their leading consonant.
  private static func isConjoiningJamo(_ value: UInt32) -> Bool {
    (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value)
  }

  private static func isWide(_ value: UInt32) -> Bool {
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }
}
