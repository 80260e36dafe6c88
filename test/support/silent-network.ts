import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A network between a server and its database that can drop everything. */
export interface SilentNetwork {
  readonly port: number
  /** From now on nothing is delivered, and no side gets an error. */
  goSilent(): void
  /** Delivers the data of the meantime late, as TCP sends it again. */
  goOn(): void
  close(): Promise<void>
}

export async function networkTo(port: number): Promise<SilentNetwork> {
  const sockets = new Map<Socket, Socket>()
  let isSilent = false
  const join = (from: Socket, to: Socket): void => {
    sockets.set(
      from.on('error', () => to.destroy()),
      to,
    )
    from.once('close', () => sockets.delete(from))
    if (!isSilent) from.pipe(to)
  }
  const network = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    join(near, far)
    join(far, near)
  }).listen(0, '127.0.0.1')
  await once(network, 'listening')
  return {
    port: (network.address() as { port: number }).port,
    goSilent: () => {
      isSilent = true
      for (const socket of sockets.keys()) socket.unpipe().pause()
    },
    goOn: () => {
      isSilent = false
      for (const [from, to] of sockets) from.pipe(to)
    },
    close: async () => {
      for (const socket of sockets.keys()) socket.destroy()
      network.close()
      await once(network, 'close')
    },
  }
}
