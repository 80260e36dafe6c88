import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Answer } from './answer.ts'

export type Listener = (incoming: IncomingMessage, outgoing: Answer) => unknown

/** The most requests of a connection that wait for the answers before them. Browsers wait for each answer. */
export const MOST_AHEAD = 100

const ahead = new WeakMap<Socket, number>()

/**
 * Begins with a request when the answers before it were sent on its connection. Node would begin with all requests of a
 * packet at once, and their answers would stay in memory until the client reads them. A client that sends too many
 * requests ahead is disconnected, because Node keeps them, too.
 */
export function inTurn(listener: Listener): Listener {
  return (incoming, outgoing) => {
    if (outgoing.socket !== null) return listener(incoming, outgoing)
    const { socket } = incoming
    const count = ahead.get(socket) ?? 0
    if (count === MOST_AHEAD) return socket.destroy()
    ahead.set(socket, count + 1)
    return outgoing.once('socket', () => {
      ahead.set(socket, (ahead.get(socket) ?? 1) - 1)
      void listener(incoming, outgoing)
    })
  }
}
