import Dashboard
import Files
import Glibc

/// Checks of the configuration file and its settings, except secrets and the store.
enum ConfigurationFindings {
  static func read(_ given: String?) -> (ConfigurationFile?, Finding) {
    do throws(Failure) {
      let file = try ConfigurationFile(path: given)
      guard access(file.path, F_OK) == 0 else {
        return (
          file,
          .ok(
            "configuration", "there is none at \(file.path), so the defaults hold: subtop help configuration")
        )
      }
      if file.alerts.webhook != nil, let problem = readers(of: file.path) {
        return (file, .warning("configuration", "of the address of a webhook that it holds: \(problem)"))
      }
      return (file, .ok("configuration", "\(file.path) is read, and nobody else may write it"))
    } catch {
      return (nil, .problem("configuration", error))
    }
  }

  private static func readers(of path: String) -> FileProblem? {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IROTH != 0 ? .readable(path) : nil
  }

  static func named(in configuration: ConfigurationFile, _ appStore: AppStoreOptions) -> [Finding] {
    var findings: [Finding] = []
    do throws(Failure) {
      _ = try appStore.sweepOptions(configuration)
    } catch {
      findings.append(.problem("addresses", error))
    }
    if configuration.rootCertificateFile != nil {
      findings.append(
        .of("root certificate") { () throws(Failure) in
          _ = try configuration.signatureVerifier()
          return .warning(
            "root certificate",
            "root_certificate_file is trusted in Apple's place; leave it out unless this is a trial with a stand-in"
          )
        })
    }
    return findings + alerts(configuration.alerts)
  }

  private static func alerts(_ settings: AlertSettings) -> [Finding] {
    let count = CountText.of(settings.alerts.count, "alert")
    guard settings.tells else {
      return settings.alerts.isEmpty
        ? []
        : [
          .ok(
            "alerts",
            "\(count), of which nobody is told but who looks: name a command or a webhook, or run `subtop status --alerts`"
          )
        ]
    }
    guard !settings.alerts.isEmpty else {
      return [
        .warning(
          "alerts",
          "there is somebody to be told, and no alert to tell of; add one to [alerts]: subtop help alerts")
      ]
    }
    var findings: [Finding] = []
    if let program = settings.command.first {
      findings.append(
        isRunnable(program)
          ? .ok("alerts", "\(count), told with \(program), which can be run")
          : .warning(
            "alerts",
            "the program \(program) that is to be told of alerts is not there, or may not be run; give its whole path"
          ))
    }
    // The address is a secret: anyone who has it may post to it.
    if settings.webhook != nil { findings.append(.ok("alerts", "\(count), posted to the webhook")) }
    return findings
  }

  private static func isRunnable(_ program: String) -> Bool {
    func isProgram(_ path: String) -> Bool {
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
    guard !program.contains("/") else { return isProgram(program) }
    let folders = Environment.variable("PATH") ?? "/usr/bin:/bin"
    return folders.split(separator: ":").contains { isProgram("\($0)/\(program)") }
  }
}
