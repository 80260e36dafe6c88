import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network between a client and a server that can break. */
export interface CuttingProxy {
  readonly url: string
  /** Cuts the connection of the next request that has a text when the server answers, and loses the answer or its end. */
  loseAnswer(text: string, what?: 'all' | 'end'): void
  /** Cuts all connections. */
  cut(): void
  close(): Promise<void>
}

export async function proxyTo(server: string): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let losing: { readonly text: string; readonly what: 'all' | 'end' } | null = null
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(server).port), '127.0.0.1')
    let lost: 'all' | 'end' | null = null
    sockets.add(near)
    const end = (): void => {
      sockets.delete(near)
      near.destroy()
      far.destroy()
    }
    near.on('data', (data: Buffer) => {
      if (losing !== null && data.includes(losing.text)) {
        lost = losing.what
        losing = null
      }
      far.write(data)
    })
    far.on('data', (data: Buffer) => {
      if (lost === 'all') end()
      else if (lost === 'end') near.write(data.subarray(0, -5), end)
      else near.write(data)
    })
    for (const socket of [near, far]) socket.on('error', end).on('close', end)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`,
    loseAnswer: (text, what = 'all') => void (losing = { text, what }),
    cut,
    close: async () => {
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
