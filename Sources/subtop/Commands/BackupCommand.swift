import ArgumentParser
import ReceiptStore
import Subscriptions

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into one file, checked, while others read and write it.",
    discussion: """
      The copy is a store: --store opens it, and `subtop restore` puts it in the place of the store. It is there whole or not at \
      all. Copying the store's file by other means leaves out what is still in its log.

      Every night, from cron:

          17 3 * * *  subtop backup --replace "$HOME/subtop-backup.sqlite"
      """)

  @Argument(help: ArgumentHelp("The file to be made; its folder has to be there.", valueName: "file"))
  var file: String

  @Flag(help: "Replace a copy that is there already, once the new one is whole.")
  var replace = false

  @OptionGroup var location: StoreLocation

  func validate() throws {
    try BlankValue.refuse(file, "the path of the copy", "pass the file to be made")
    try UnexpandedTilde.refuse(file, "the path of the copy")
    guard file != "-" else {
      throw ValidationError("the copy is made in a file, not on standard output; pass its path")
    }
  }

  func run() throws {
    try location.configurationFile.checkNamed()
    let store = try location.open(.readOnly)
    let meter = StoreProgress("copying the store", counting: ("page", "pages"))
    let unfinished = UnfinishedCopy()
    let interruption = Interruption.removing { unfinished.remove() }
    defer {
      meter.end()
      interruption.end()
    }
    try withStoreFailures(
      store.backUp(to: file, replacing: replace, unfinished: unfinished, progress: meter.watch))
  }
}
