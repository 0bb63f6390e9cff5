import ArgumentParser

enum TableFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}
