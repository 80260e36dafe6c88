import { slowness } from './slowness.ts'
import type { WatchedAnswer, WatchedCall, WatchedServer } from './watched-server.ts'

/**
 * A measured stall also contains garbage collection, compilation and other programs. Only the work of the server
 * repeats each time. So a call is tried again if it took too long.
 */
const TRIES = 10

/**
 * The shortest of the longest stalls of some tries. If it is too long, it is converted to the machine that the limit
 * is meant for.
 */
export async function leastStall(
  server: WatchedServer,
  call: WatchedCall,
  longestMs: number,
): Promise<Pick<WatchedAnswer, 'status' | 'stall' | 'text'>> {
  let least = { status: 0, stall: Infinity, text: '' }
  for (let index = 0; index < TRIES && least.stall > longestMs; index += 1) {
    const { status, stall, text } = await server.call(call)
    const fair = stall > longestMs ? stall / slowness() : stall
    if (fair < least.stall) least = { status, stall: fair, text }
  }
  return least
}
