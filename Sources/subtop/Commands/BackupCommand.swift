import ArgumentParser
import ReceiptStore
import Subscriptions

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into one file, even while it is in use, and check the copy.",
    discussion: """
      The copy is a complete store: open it with --store, or restore it with `subtop restore`. The file appears \
      when the copy is complete. Do not copy the store by other means: they would omit what is still in its log.

      Every night, from cron:

          17 3 * * *  subtop backup --replace "$HOME/subtop-backup.sqlite"
      """)

  @Argument(help: ArgumentHelp("The file to create; its folder must exist.", valueName: "file"))
  var file: String

  @Flag(help: "Replace an existing copy once the new one is complete.")
  var replace = false

  @OptionGroup var location: StoreLocation

  func validate() throws {
    guard file != "-" else {
      throw ValidationError("the copy is written to a file, not to standard output; pass its path")
    }
  }

  func run() throws {
    try location.configurationFile.checkNamed()
    let store = try location.open(.readOnly)
    let unfinished = UnfinishedCopy()
    let interruption = Interruption.ending { unfinished.remove() }
    defer { interruption.end() }
    try showingProgress("copying the store", counting: ("page", "pages")) {
      try store.backUp(to: file, replacing: replace, unfinished: unfinished, progress: $0)
    }
    if Standard.isErrorTerminal {
      let sentence = "Copied \(location.path) to \(file), and checked the copy."
      Standard.note(sentence.harmless(in: Standard.glyphs) + "\n")
    }
  }
}
