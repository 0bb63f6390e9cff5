extension HelpTopic {
  static let operating = HelpTopic(
    "operating", "From the package to sweeps, a listener, backups and alerts on a server"
  ) {
    HelpBlock.text(
      """
      As root, on a machine that has the Debian package and nothing else of subtop:

          apt install ./subtop_*_amd64.deb
          install -m 640 -g subtop AuthKey.p8 /etc/subtop/credentials/private-key
          install -m 640 -g subtop config.toml /etc/subtop/config.toml
          subtop-service import ids - <customers.csv
          subtop-service doctor --online
          subtop-service sweep
          systemctl enable --now subtop-sweep.timer
          systemctl enable --now subtop-listen.service
          systemctl enable --now subtop-backup.timer
          subtop-service status --alerts

      AuthKey.p8 is the In-App Purchase key of App Store Connect (Users and Access, Integrations), config.toml is like this, and
      customers.csv has a header with `original_transaction_id` and, where you know it, `app_user_id`:

          issuer_id = "57246542-96fe-1a63-e053-0824d011072a"
          key_id = "2X9R4HXF34"
          private_key_file = "$CREDENTIALS_DIRECTORY/private-key"

          [apps."com.example.app"]

          [alerts]
          webhook = "https://hooks.example.com/subtop"
          churn = "churn_rate > 6%"

      From then on a sweep runs every quarter of an hour, notifications are received at http://127.0.0.1:8990, the store is copied to
      /var/lib/subtop/backup.sqlite every night, and the sweep that sees an alert raised posts it to the webhook. `subtop-service doctor`
      checks what they need; `systemctl status 'subtop-*'` says whether they run.

      ## Day by day

      `subtop-service` is subtop with the services' user, store, configuration and secrets; without a command it opens the dashboard. It
      starts in the root folder: name files by their whole paths, or give them to standard input.

          journalctl -u subtop-sweep -u subtop-listen
          systemctl list-timers 'subtop-*'
          subtop-service sweeps

      ## Receiving notifications

      Apple sends them over https alone, so a TLS proxy passes them on to 127.0.0.1:8990, and App Store Connect is told the address
      https://subtop.example.com/notifications. Caddy gets a certificate by itself; in /etc/caddy/Caddyfile:

          subtop.example.com {
              reverse_proxy /notifications 127.0.0.1:8990
          }

      nginx takes one that you have; in /etc/nginx/conf.d/subtop.conf:

          server { listen 443 ssl; server_name subtop.example.com;
          ssl_certificate /etc/ssl/subtop.pem; ssl_certificate_key /etc/ssl/subtop.key;
          location = /notifications { proxy_pass http://127.0.0.1:8990; } }

      Neither lets anybody else see `/healthz` and `/metrics`.

      ## Secrets

      systemd hands a service the files private-key and shared-secret of /etc/subtop/credentials, in a folder of its own that
      CREDENTIALS_DIRECTORY names. Where apps have keys of their own, a file like
      /etc/systemd/system/subtop-.service.d/keys.conf adds them; `LoadCredentialEncrypted=` does the same for what
      `systemd-creds encrypt` made.

          [Service]
          LoadCredential=example-key:/etc/subtop/credentials/example-key

      ## Putting a copy back

          systemctl stop subtop-listen.service subtop-sweep.timer subtop-backup.timer
          subtop-service restore --replace /var/lib/subtop/backup.sqlite
          systemctl start subtop-listen.service subtop-sweep.timer subtop-backup.timer

      ## Removing it

      `apt remove subtop` leaves configuration, secrets and store; `apt purge subtop` takes them as well.

      ## Without root, and elsewhere

      The package has the same units for a user, over the store of `subtop` itself: `systemctl --user enable --now subtop-sweep.timer`, and
      `loginctl enable-linger` so that they run while nobody is logged in. The backup goes to ~/subtop-backup.sqlite, and what
      CREDENTIALS_DIRECTORY names comes from ~/.config/subtop/credentials. They write below the home folder alone.

      On other distributions the tarball is unpacked at the root folder; `systemd-sysusers subtop.conf` and
      `systemd-tmpfiles --create subtop.conf` make the user and the folders. Without systemd, cron does what the timers do:

          */15 * * * *  subtop sweep
          17 3 * * *    subtop backup --replace "$HOME/subtop-backup.sqlite"
      """)
  }
}
