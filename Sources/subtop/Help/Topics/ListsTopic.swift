extension HelpTopic {
  static let lists = HelpTopic("lists", "Filtering, sorting, copying and writing lists in the dashboard") {
    HelpBlock.text(
      """
      ## Filter

      `/` filters the list on the screen while you type. Every term has to hold; case does not matter.

      gold:: some column has the word
      product:gold:: this column has it
      state=grace:: the whole cell is this, without the sign beside it
      state=billing_retry:: JSON's word is taken as well as the screen's
      product=pro.monthly:: and so are a name as it shows and the whole id
      storefront:DEU:: where a customer shops, which Apple tells with what it signs
      days>10 price<=9.99:: numbers are compared, ages in days; >= and < as well
      !trial:: the term does not hold
      "two words":: a space belongs to the term

      ## Sort, hide, find

      `<` and `>` choose the column to sort by, as a click on its title does; `r` reverses the order. Amounts in
      several currencies are sorted by what they are worth in the reporting currency, or else within each currency; the title says
      which, where it has room. `n` and `N` go to the next and the previous match. `:hide COLUMN` and `:unhide` leave columns out and bring them back. `f` finds
      a subscription by a part of an app user's, an original transaction's, a transaction's or an order's id, of an app account
      token or an app transaction id, and figures and products by their names: what is meant is suggested while you type.
      A filter, an order and a file are of every row that there is, up to 100,000: while they are read the title says how far it is,
      and Esc stops it.

      For six seconds `+` stands before rows that are new, or not as they were when the list was read before.

      ## Take

      `y` copies the id and `Y` the row, of a subscription history five plain lines for a ticket, through ssh and tmux as well (in tmux with `set-clipboard on`). ^S writes the list as it shows
      into a file: JSON where its name ends in .json, else CSV. A file that is there is never replaced.

      ## Sweep a list

      `t` marks a row and `u` takes every mark of the list away. `L` sweeps the receipts of the marked rows, or else of all that the
      list shows, once you have said yes to how many that is. (The space bar goes a page down, as in every pager.) In the Sweep tab
      Enter on a sweep, a queue, a reason or a status lists the receipts. What you paste is never taken for keys: it goes into
      the line that you type, or else into `f`.

      ## Commands

      `:` opens the palette, in which every command has a name: Tab completes it, Up and Down go through earlier ones. Some take a
      word: `:window 90`, `:product com.example.pro`, `:figure active mrr`, `:sort days desc`, `:export lost.csv`.
      """)
  }
}
