extension HelpTopic {
  static let lists = HelpTopic("lists", "Filtering, sorting, copying and writing lists in the dashboard") {
    HelpBlock.text(
      """
      ## Filter

      `/` filters the list on the screen while you type. Every term has to hold; case does not matter.
      """)
      + [
        .terms([
          .init("gold", "some column has the word"),
          .init("product:gold", "this column has it"),
          .init("state=grace", "the whole cell is this"),
          .init("storefront:DEU", "where a customer shops, which Apple tells with what it signs"),
          .init("days>10 price<=9.99", "numbers are compared, ages in days; >= and < as well"),
          .init("!trial", "the term does not hold"),
          .init("\"two words\"", "a space belongs to the term"),
        ])
      ]
      + HelpBlock.text(
        """
        ## Sort, hide, find

        `<` and `>` choose the column to sort by, as a click on its title does; `r` reverses the order. `n` and `N` go to the
        next and the previous match. `:hide COLUMN` and `:unhide` leave columns out and bring them back. `f` finds a chain by an app
        user, an app account token, an original transaction id, a transaction id or a web order line item id.

        ## Take

        `y` copies the id and `Y` the row, through ssh and tmux as well (in tmux with `set-clipboard on`). ^S writes the list as it shows
        into a file: JSON where its name ends in .json, else CSV. A file that is there is never replaced.

        ## Commands

        `:` opens the palette, in which every command has a name: Tab completes it, Up and Down go through earlier ones. Some take a
        word: `:window 90`, `:product com.example.pro`, `:sort days desc`, `:export lost.csv`.
        """)
  }
}
