import ArgumentParser
import Terminal

struct ScreenOptions: ParsableArguments {
  @Flag(name: .customLong("readonly"), help: "Disable every command that changes something.")
  var readOnly = false

  @Flag(help: "Leave the mouse to the terminal, to select text.")
  var noMouse = false

  @Flag(help: "Use only ASCII characters.")
  var ascii = false

  func terminal(synchronized: Bool = false) -> TerminalOptions {
    TerminalOptions(mouse: !noMouse, ascii: ascii, synchronized: synchronized, asksBackground: true)
  }
}
