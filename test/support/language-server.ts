import { spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'

// The language server that editors use for YAML, with a client that talks like an editor.

const PROGRAM = fileURLToPath(
  new URL('../../node_modules/yaml-language-server/bin/yaml-language-server', import.meta.url),
)
const HEADER = /^Content-Length: (\d+)\r\n\r\n/

interface Place {
  readonly line: number
  readonly character: number
}

export interface Found {
  readonly message: string
  readonly range: { readonly start: Place }
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: {
    readonly items?: readonly unknown[]
    readonly uri?: string
    readonly diagnostics?: readonly Found[]
  }
  readonly result?: unknown
}

/** `|` marks the cursor. */
export interface Editor {
  completions(path: string, text: string): Promise<string[]>
  hover(path: string, text: string): Promise<string>
  diagnostics(path: string, text: string): Promise<readonly Found[]>
  close(): void
}

export async function openEditor(): Promise<Editor> {
  const child = spawn(process.execPath, [PROGRAM, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting = new Map<number | string, (result: never) => void>()
  let received = Buffer.alloc(0)
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const [header, length] = HEADER.exec(received.toString('latin1')) ?? []
      const end = (header?.length ?? 0) + Number(length)
      if (header === undefined || received.length < end) return
      const message = JSON.parse(received.toString('utf8', header.length, end)) as Message
      received = received.subarray(end)
      take(message)
    }
  })

  function take({ id, method, params, result }: Message): void {
    // The server asks for the user's settings. There are none.
    if (method !== undefined && id !== undefined) send({ id, result: params?.items?.map(() => null) ?? null })
    else if (method === 'textDocument/publishDiagnostics')
      waiting.get(params?.uri ?? '')?.(params?.diagnostics as never)
    else if (id !== undefined) waiting.get(id)?.(result as never)
  }

  function send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }

  let last = 0
  const answer = <Result>(key: number | string) => new Promise<Result>((resolve) => waiting.set(key, resolve))
  async function request<Result>(method: string, params: object): Promise<Result> {
    last += 1
    const answered = answer<Result>(last)
    send({ id: last, method, params })
    return answered
  }

  function open(path: string, marked: string): { textDocument: { uri: string }; position: Place } {
    last += 1
    // Each text is a new file next to the file that it stands for.
    const uri = pathToFileURL(path.replace(/(?=[\w.-]+$)/, `${last}-`)).href
    const before = marked.slice(0, marked.indexOf('|') < 0 ? 0 : marked.indexOf('|')).split('\n')
    const text = marked.replace('|', '')
    send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'yaml', version: 1, text } } })
    return { textDocument: { uri }, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } }
  }

  await request('initialize', { processId: null, rootUri: null, capabilities: {} })
  send({ method: 'initialized', params: {} })
  return {
    async completions(path, text) {
      const { items } = await request<{ items: { label: string }[] }>('textDocument/completion', open(path, text))
      return items.map(({ label }) => label)
    },
    async hover(path, text) {
      const found = await request<{ contents: { value: string } } | null>('textDocument/hover', open(path, text))
      return found?.contents.value ?? ''
    },
    diagnostics(path, text) {
      const { uri } = open(path, text).textDocument
      return answer<readonly Found[]>(uri)
    },
    close: () => child.kill(),
  }
}
