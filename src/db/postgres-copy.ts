import type { ClientBase } from 'pg'
import { from, to } from 'pg-copy-streams'
import { finished } from 'node:stream/promises'

export async function copyIn(client: ClientBase, text: string, data: Uint8Array): Promise<void> {
  const stream = client.query(from(text))
  stream.end(data)
  await finished(stream)
}

export async function copyOut(client: ClientBase, text: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of client.query(to(text))) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks)
}
