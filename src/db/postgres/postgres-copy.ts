import type { ClientBase, Connection, Submittable } from 'pg'
import { buffer } from 'node:stream/consumers'
import { to } from 'pg-copy-streams'

/** Resolves when the server has taken all the data. */
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

/** Messages of the protocol (PostgreSQL manual, "Message Formats"). A length includes itself, but not the letter. */
const COPY_DATA = 'd'.charCodeAt(0)
const COPY_DONE = Buffer.from('c\0\0\0\x04', 'latin1')

/**
 * Sends the data together with the statement instead of waiting until the server asks for it. This saves a round trip.
 * If the statement fails, the server drops the remaining data ("COPY Operations").
 */
class CopyIn implements Submittable {
  readonly #copy: Copy

  constructor(copy: Copy) {
    this.#copy = copy
  }

  /** pg overwrites this member of a query, and calls it. */
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
  return buffer(client.query(to(text)))
}
