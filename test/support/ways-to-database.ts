import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What is sent to PostgreSQL before its answer is waited for: the texts of these statements. */
export type Way = readonly string[]

/** A network between a server and its database that sees each way there and back. */
export interface WatchedNetwork {
  readonly url: string
  /** The ways since this was asked last, of all connections in the order of their answers. */
  taken(): readonly Way[]
  /** Is called before the answer to a way comes through; the connection is broken there where it says so. */
  breakAt(decide: (way: Way) => boolean): void
  close(): Promise<void>
}

export async function watchWays(database: string): Promise<WatchedNetwork> {
  const { hostname, port } = new URL(database)
  const sockets = new Set<Socket>()
  let ways: Way[] = []
  let isBroken = never
  const network = createServer((near) => {
    const far = connect(Number(port), hostname)
    let asked: string[] = []
    const asking = new Questions((text) => asked.push(text))
    const answering = new Messages((letter) => {
      // ReadyForQuery: everything up to a Sync is answered, or a text with statements.
      if (letter !== 'Z' || asked.length === 0) return
      ways.push(asked)
      asked = []
    })
    near.on('data', (chunk) => {
      asking.add(chunk)
      if (isBroken(asked)) far.destroy()
      else far.write(chunk)
    })
    far.on('data', (chunk) => {
      answering.add(chunk)
      near.write(chunk)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.once('close', () => {
        other.destroy()
        sockets.delete(one)
      })
    }
  }).listen(0, '127.0.0.1')
  await once(network, 'listening')
  const near = new URL(database)
  near.hostname = '127.0.0.1'
  near.port = String((network.address() as { port: number }).port)
  return {
    url: near.href,
    taken: () => {
      const taken = ways
      ways = []
      return taken
    },
    breakAt: (decide) => (isBroken = decide),
    close: async () => {
      for (const socket of sockets) socket.destroy()
      network.close()
      await once(network, 'close')
    },
  }
}

const never = (_: Way): boolean => false

/** Messages of the protocol in pieces as they come: a letter, the length of the rest, the rest. */
class Messages {
  #rest: Buffer = Buffer.alloc(0)
  readonly #found: (letter: string, body: Buffer) => void
  #head = 1

  constructor(found: (letter: string, body: Buffer) => void, { isBegun = true } = {}) {
    this.#found = found
    if (!isBegun) this.#head = 0
  }

  add(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (;;) {
      if (this.#rest.length < this.#head + 4) return
      const end = this.#head + this.#rest.readUInt32BE(this.#head)
      if (this.#rest.length < end) return
      const letter = this.#head === 0 ? '' : this.#rest.toString('latin1', 0, 1)
      this.#found(letter, this.#rest.subarray(this.#head + 4, end))
      this.#rest = this.#rest.subarray(end)
      this.#head = 1
    }
  }
}

/** The statements of a client. Its first message has no letter. */
class Questions {
  readonly #messages: Messages
  readonly #named = new Map<string, string>()

  constructor(found: (text: string) => void) {
    this.#messages = new Messages(
      (letter, body) => {
        if (letter === 'Q') found(textsIn(body)[0] ?? '')
        if (letter === 'P') {
          const [name = '', text = ''] = textsIn(body)
          this.#named.set(name, text)
        }
        if (letter === 'B') found(this.#named.get(textsIn(body)[1] ?? '') ?? '')
      },
      { isBegun: false },
    )
  }

  add(chunk: Buffer): void {
    this.#messages.add(chunk)
  }
}

function textsIn(body: Buffer): readonly string[] {
  return body.toString('utf8').split('\0')
}
