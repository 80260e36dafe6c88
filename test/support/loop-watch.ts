import { createServer } from 'node:http'

// Loaded into a server's process before the server (`--import`). It reports the longest time since the last report in
// which the event loop did one thing, in milliseconds of this thread's CPU time. So the work of other processes does
// not count.

let longest = 0
let before = used()

function used(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function look(): void {
  const now = used()
  longest = Math.max(longest, now - before)
  before = now
}

setInterval(look, 1).unref()

const watch = createServer((_, response) => {
  // When this timer fires, the work that was under way has ended.
  setTimeout(() => {
    look()
    response.end(String(longest))
    longest = 0
  }, 10)
})
watch.listen(0, '127.0.0.1', () => {
  const address = watch.address()
  if (address !== null && typeof address !== 'string') process.stderr.write(`watched at ${address.port}\n`)
})
watch.unref()
