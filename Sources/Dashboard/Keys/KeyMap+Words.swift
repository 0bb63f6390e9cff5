import Screen
import Subscriptions

extension KeyMap {
  /// The key table as Markdown, for the README.
  public var markdown: String {
    var lines: [String] = []
    for section in Binding.Section.allCases {
      if !lines.isEmpty { lines.append("") }
      lines += ["| \(section.rawValue) | |", "|---|---|"]
      for binding in bindings where binding.section == section {
        let keys = binding.keys.map { $0 == .character("|") ? "`\\|`" : "`\($0.name)`" }
        lines.append("| \(keys.joined(separator: " ")) | \(binding.title) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The line of keys at the foot of a screen, the way to the others last.
  ///
  /// - Parameters:
  ///   - isTop: whether `q` leaves the program from here.
  ///   - isPaused: whether a sweep is to go on rather than to pause.
  ///   - useless: what would do nothing here.
  func hints(
    in context: KeyContext, readOnly: Bool, isTop: Bool, isPaused: Bool, without useless: Set<Command>
  ) -> [KeyHint] {
    bindings(readOnly: readOnly).compactMap { binding in
      guard binding.hinted.contains(context), !useless.contains(binding.command),
        let key = binding.keys.first,
        let hint = binding.hint
      else { return nil }
      switch binding.command {
      case .leave where !isTop: return KeyHint(key.name, "back")
      case .pauseOrResume where isPaused: return KeyHint(key.name, "go on")
      default: return KeyHint(key.name, hint)
      }
    }
  }
}
