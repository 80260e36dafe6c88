import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network between a client and a server that can break. */
export interface CuttingProxy {
  readonly url: string
  /** Cuts the connection of the next request to a path when the server answers, and loses the answer. */
  loseAnswer(path: string): void
  /** Cuts all connections. */
  cut(): void
  close(): Promise<void>
}

export async function proxyTo(server: string): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let losing: string | null = null
  const proxy = createServer((near) => {
    const far = connect(Number(new URL(server).port), '127.0.0.1')
    let isLosing = false
    sockets.add(near)
    const end = (): void => {
      sockets.delete(near)
      near.destroy()
      far.destroy()
    }
    near.on('data', (data: Buffer) => {
      if (losing !== null && data.includes(losing)) {
        isLosing = true
        losing = null
      }
      far.write(data)
    })
    far.on('data', (data: Buffer) => {
      if (isLosing) end()
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
    loseAnswer: (path) => void (losing = path),
    cut,
    close: async () => {
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
