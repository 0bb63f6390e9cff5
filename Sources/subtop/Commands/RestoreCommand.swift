import ArgumentParser
import ReceiptStore
import Subscriptions

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the store with a copy made by `backup`.",
    discussion: """
      The copy is checked and not changed. No program may have the store open. With --replace, the previous store is kept beside it \
      with the suffix `.replaced`. Do not copy a file there by other means: the log of the previous store would damage it.
      """)

  @Argument(help: ArgumentHelp("The copy to restore.", valueName: "file"))
  var file: String

  @Flag(help: "Replace an existing store. The previous one is kept under another name.")
  var replace = false

  @OptionGroup var location: StoreLocation

  func validate() throws {
    guard file != "-" else {
      throw ValidationError("the copy is read from a file, not from standard input; pass its path")
    }
  }

  func run() throws {
    try location.configurationFile.checkNamed()
    let path = try location.place()
    let unfinished = UnfinishedCopy()
    let interruption = Interruption.ending { unfinished.remove() }
    defer { interruption.end() }
    let kept = try showingProgress("restoring the store", counting: ("page", "pages")) {
      try ReceiptStore.checkCopy(at: file)
      return try ReceiptStore(path: file, access: .readOnly)
        .restore(to: path, replacing: replace, unfinished: unfinished, progress: $0)
    }
    if let kept {
      Standard.note("The previous store is kept as \(kept.harmless(in: Standard.glyphs)).\n")
    }
  }
}
