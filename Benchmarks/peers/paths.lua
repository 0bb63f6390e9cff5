-- Has wrk ask for the paths of a file, a line each, in turn, as whoever bears a token: PATHS and BEARER name them.
local requests, last = {}, 0

function init()
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("BEARER")
  wrk.headers["Accept-Encoding"] = "gzip"
  for line in io.lines(os.getenv("PATHS")) do
    requests[#requests + 1] = wrk.format("GET", line)
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end

function done(summary, latency)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status
    + summary.errors.timeout
  io.write(string.format('{"requests": %d, "microseconds": %d, "bytes": %d, "errors": %d}\n',
    summary.requests, summary.duration, summary.bytes, failed))
end
