import type { ClientBase, Connection, Submittable } from 'pg'
import { to } from 'pg-copy-streams'

/** Resolves when the server is done with all of it. */
export function copyIn(client: ClientBase, text: string, data: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn({ text, data, resolve, reject }))
  })
}

interface Copy {
  readonly text: string
  readonly data: Uint8Array
  resolve(): void
  reject(error: unknown): void
}

/** The messages of the protocol (PostgreSQL manual, "Message Formats"): their length counts itself, not their letter. */
const COPY_DATA = 'd'.charCodeAt(0)
const COPY_DONE = Buffer.from('c\0\0\0\x04', 'latin1')

/**
 * Sends the data along with the statement, rather than wait until the server asks for it: a round trip less. Where the
 * statement fails, the server drops what still comes ("COPY Operations").
 */
class CopyIn implements Submittable {
  readonly #copy: Copy

  constructor(copy: Copy) {
    this.#copy = copy
  }

  /** Of what pg may set on a query. */
  callback(): void {}

  submit(connection: Connection): void {
    const { text, data } = this.#copy
    const { stream } = connection
    stream.cork()
    connection.query(text)
    const head = Buffer.alloc(5)
    head[0] = COPY_DATA
    head.writeUInt32BE(data.length + 4, 1)
    stream.write(head)
    stream.write(data)
    stream.write(COPY_DONE)
    stream.uncork()
  }

  handleCopyInResponse(): void {}

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#copy.resolve()
  }

  handleError(error: unknown): void {
    this.#copy.reject(error)
  }
}

export async function copyOut(client: ClientBase, text: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of client.query(to(text))) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
