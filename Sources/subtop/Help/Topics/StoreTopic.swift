extension HelpTopic {
  static let store = HelpTopic("store", "Where the data lies, and how it is backed up") {
    HelpBlock.text(
      """
      Everything is in one SQLite file, `$XDG_DATA_HOME/subtop/subtop.sqlite` unless `--store` or SUBTOP_STORE names another. It is
      readable by you alone (0600), on a disk of this machine, in a folder that no one else may write to; whatever else is named is
      refused and left as it is. Network file systems count as other machines, and so do the folders of a virtual machine's host
      (9p, virtiofs, vboxsf); a container's own file system does not.

      A commit is on the disk before it is reported: a power cut loses nothing that was said to be done. Where nothing can be written, the
      store can still be read.

      ## Backup

      The file belongs together with its -wal and -shm. Copy it with `subtop backup`, while others use it, and put a copy in its place with
      `subtop restore`; not with cp. A restore keeps the store that was there, under its name and .replaced. Every night, from cron:

          17 3 * * *  subtop backup --replace "$HOME/subtop-backup.sqlite"

      ## Health

      `subtop status` says what is due and why receipts were given up. `--check` has SQLite check the whole file, `--rebuild` makes everything
      that is derived from Apple's answers anew. With `--at` it counts receipts, subscriptions and transactions by what was known at that
      moment; of what waits, what was given up, and prices and rates the store keeps no past, and it says that they are of now (`of_now` in its
      JSON). `subtop doctor` looks at the store, the configuration, secrets and sweeps together.
      """)
  }
}
