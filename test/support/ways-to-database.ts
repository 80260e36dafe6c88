import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The texts of the statements that are sent to PostgreSQL in one round trip. */
export type Way = readonly string[]

/** A network between a server and its database that sees each round trip. */
export interface WatchedNetwork {
  readonly url: string
  /** The round trips since the last call, of all connections, in the order of their answers. */
  taken(): readonly Way[]
  /**
   * Sets a function that is called before the answer to a round trip is delivered. If it returns true, the connection
   * breaks there.
   */
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
      // ReadyForQuery means that everything up to a Sync, or a text with statements, is answered.
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

/** Splits the data into messages of the protocol: a letter, the length of the rest, and the rest. */
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
