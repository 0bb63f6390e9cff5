import FoundationEssentials

/// Puts text on the clipboard of the terminal, which may be on another machine: OSC 52 of xterm's control sequences.
enum Clipboard {
  /// Longer ones are cut off by terminals (xterm, hterm), so they are not sent at all.
  private static let most = 74_994

  /// Nil where the text is too long.
  static func sequence(_ text: String, isInTmux: Bool) -> String? {
    let encoded = Data(text.utf8).base64EncodedString()
    guard encoded.utf8.count <= most else { return nil }
    let plain = "\u{1B}]52;c;\(encoded)\u{07}"
    // tmux takes the plain one where `set-clipboard` is on, and hands the wrapped one through where
    // `allow-passthrough` is; it drops the other.
    return isInTmux ? plain + "\u{1B}Ptmux;\u{1B}\(plain)\u{1B}\\" : plain
  }
}
