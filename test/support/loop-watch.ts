import { createServer } from 'node:http'

// Loaded into a server's process before the server (`--import`): tells how long its event loop did one thing at a
// stretch since it was asked last, in milliseconds of this thread's processor time. What other processes take of the
// machine meanwhile does not count.

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
  // What is under way now is over when this comes.
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
