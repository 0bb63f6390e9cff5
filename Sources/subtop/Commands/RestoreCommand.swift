import ArgumentParser
import ReceiptStore
import Subscriptions

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a copy that `backup` made in the place of the store.",
    discussion: """
      The copy is checked and stays as it is. No program may have the store open. With --replace a store \
      that is there is kept beside it, whole, under its name and `.replaced`. Putting a copy there by other means leaves the earlier store's log beside it, which \
      damages the copy.
      """)

  @Argument(help: ArgumentHelp("The copy.", valueName: "file"))
  var file: String

  @Flag(help: "Replace a store that is there already, which is kept under another name.")
  var replace = false

  @OptionGroup var location: StoreLocation

  func validate() throws {
    try BlankValue.refuse(file, "the path of the copy", "pass the file that `backup` made")
    try UnexpandedTilde.refuse(file, "the path of the copy")
    guard file != "-" else {
      throw ValidationError("the copy is read from a file, not from standard input; pass its path")
    }
  }

  func run() throws {
    try location.configurationFile.checkNamed()
    let path = try location.place()
    let meter = StoreProgress("restoring the store", counting: ("page", "pages"))
    let unfinished = UnfinishedCopy()
    let interruption = Interruption.removing { unfinished.remove() }
    defer { interruption.end() }
    let kept: String?
    do {
      defer { meter.end() }
      try withStoreFailures(ReceiptStore.checkCopy(at: file))
      kept = try withStoreFailures(
        ReceiptStore(path: file, access: .readOnly)
          .restore(to: path, replacing: replace, unfinished: unfinished, progress: meter.watch))
    }
    if let kept {
      Standard.note("The store that was there is kept as \(kept.harmless(in: Standard.glyphs)).\n")
    }
  }
}
