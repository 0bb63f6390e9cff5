import ArgumentParser
import Glibc
import ReceiptStore

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into one file, checked, while others read and write it.",
    discussion: """
      The copy is a store: --store opens it. It is there whole or not at all. Copying the store's file by other means leaves out \
      what is still in its log.

      To restore it, end every subtop, remove the store with its -wal and -shm, whose contents would be mixed into the copy \
      otherwise, and copy the copy to the store's place:  rm -f STORE STORE-wal STORE-shm && cp -p FILE STORE

      Every night, from cron:  17 3 * * *  subtop backup --replace /var/backups/subtop.sqlite
      """)

  @Argument(help: ArgumentHelp("The file to be made; its folder has to be there.", valueName: "file"))
  var file: String

  @Flag(help: "Replace a file that is there already, once the copy is whole.")
  var replace = false

  @OptionGroup var options: StoreOptions

  func run() throws {
    let store = try options.open(.readOnly)
    let meter = RebuildMeter("copying the store", counting: "page")
    let unfinished = ReceiptStore.unfinishedCopy(file)
    let interruption = Interruption(hearing: { number in
      unlink(unfinished)
      Interruption.die(by: number)
    })
    defer {
      meter.end()
      interruption.end()
    }
    try withStoreFailures { () throws(StoreError) in
      try store.backUp(to: file, by: unfinished, replacing: replace, progress: meter.watch)
    }
  }
}
