import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { holdfast } from '../reconcile/session.ts'
import { isLong } from '../support/runs.ts'

// The commands that steps call. Each way to call one is tried as a process once; from then on the process of the test
// itself runs it, which takes a tenth of the time. In `npm run test:long` all are processes.

export interface Commands {
  /** A program in place of `node`, as the text of its file. Each call leaves a directory below `home`. */
  shim(home: string): string
  close(): void
}

/** What has been a process before. */
const tried = new Set<string>()

export async function startCommands(): Promise<Commands> {
  const server = createServer((socket) => {
    socket.setEncoding('utf8').once('data', (line: string) => {
      void answer(line.trim())
        .then((text) => socket.write(`${text}\n`))
        .finally(() => socket.end())
    })
  })
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return { shim: (home) => shimText(home, port), close: () => void server.close() }
}

/** Bash speaks TCP by itself. */
function shimText(home: string, port: number): string {
  return `#!/bin/bash
call=$(mktemp -d '${home}/call-XXXXXX')
printf '%s\\0' "$PWD" "$@" > "$call/words"
env -0 > "$call/environment"
exec 3<> /dev/tcp/127.0.0.1/${port}
echo "$call" >&3
read -r code <&3
exec 3>&-
if [ "$code" = process ]; then exec '${process.execPath}' "$@"; fi
cat "$call/stdout"
cat "$call/stderr" >&2
exit "$code"
`
}

/** The exit code, or that a process shall run it. */
async function answer(call: string): Promise<string> {
  const [cwd = '', program = '', ...words] = listIn(join(call, 'words'))
  const named = words.filter((word, index) => index === 0 || /^(?:--|[a-z-]+$)/.test(word))
  const way = [basename(dirname(program)), basename(program), ...named].join(' ')
  if (isLong || !existsSync(program) || !tried.has(way)) {
    tried.add(way)
    return 'process'
  }
  const env = Object.fromEntries(listIn(join(call, 'environment')).map(pairOf))
  const { code, stdout, stderr } = await holdfast(words, { cwd, env, fetch: (request) => fetch(request) })
  writeFileSync(join(call, 'stdout'), stdout)
  writeFileSync(join(call, 'stderr'), stderr)
  return String(code)
}

function listIn(file: string): string[] {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1)
}

function pairOf(text: string): [string, string] {
  const end = text.indexOf('=')
  return [text.slice(0, end), text.slice(end + 1)]
}
