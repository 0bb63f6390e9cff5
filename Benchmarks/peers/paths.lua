-- Makes wrk request the paths of the file PATHS in turn, with the bearer token BEARER.
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
