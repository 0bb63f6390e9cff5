import ArgumentParser
import Terminal

/// Options for the dashboard's screen.
struct ScreenOptions: ParsableArguments {
  @Flag(name: .customLong("readonly"), help: "Leave out every command that changes something.")
  var readOnly = false

  @Flag(help: "Leave the mouse to the terminal, for selecting text.")
  var noMouse = false

  @Flag(help: "Draw with ASCII characters alone.")
  var ascii = false

  func terminal(synchronized: Bool = false) -> TerminalOptions {
    TerminalOptions(mouse: !noMouse, ascii: ascii, synchronized: synchronized)
  }
}
