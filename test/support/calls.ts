import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

// A program for shells of a test. The process of the test answers each call.

/** A call from a shell: its directory, its arguments and its environment. */
export interface Call {
  readonly cwd: string
  readonly words: readonly string[]
  readonly env: { readonly [name: string]: string }
}

export interface Answered {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Calls {
  /** The text of a program file for shells to call. Each call leaves a directory below `home`. */
  shim(home: string): string
  close(): void
}

/** If the answer is null, Node runs these words as a process. */
export async function startCalls(answer: (call: Call) => Promise<Answered | null>): Promise<Calls> {
  const server = createServer((socket) => {
    socket.setEncoding('utf8').once('data', (line: string) => {
      void answerIn(line.trim(), answer)
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

/** The program as a Bash script. Bash can open TCP connections by itself. */
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

async function answerIn(place: string, answer: (call: Call) => Promise<Answered | null>): Promise<string> {
  const [cwd = '', ...words] = listIn(join(place, 'words'))
  const env = Object.fromEntries(listIn(join(place, 'environment')).map(pairOf))
  const answered = await answer({ cwd, words, env })
  if (answered === null) return 'process'
  writeFileSync(join(place, 'stdout'), answered.stdout)
  writeFileSync(join(place, 'stderr'), answered.stderr)
  return String(answered.code)
}

function listIn(file: string): string[] {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1)
}

function pairOf(text: string): [string, string] {
  const end = text.indexOf('=')
  return [text.slice(0, end), text.slice(end + 1)]
}
