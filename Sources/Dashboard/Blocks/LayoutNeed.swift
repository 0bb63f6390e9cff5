/// Content that blocks of a row get space for, the most important first.
enum LayoutNeed: CaseIterable {
  case numbers, names, changes, courses
}
