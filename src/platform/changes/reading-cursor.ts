import { fetchChangeStatus } from '../../store/change-status.ts'
import { wholeOf } from '../../store/model/units.ts'
import type { DomainContext } from '../domain-context.ts'
import { markOf, writePosition } from './cursor-text.ts'
import { SeenFlushes } from './seen-flushes.ts'

/**
 * A cursor for somebody who reads datapoints first and then follows them: after it comes everything that is not visible to
 * a reading that begins now. Some of what is visible already comes again, at most what the processes have stored since
 * they last said up to which flush nothing is on its way. It takes one statement, and two where no process writes.
 */
export async function readingCursor({ database, domain }: Pick<DomainContext, 'database' | 'domain'>): Promise<string> {
  // Flushes are numbered for all domains together, also for who sees a part of one.
  const status = () => fetchChangeStatus(wholeOf(database), [])
  const first = await status()
  const { identity, settled } = first.settled === null ? await status() : first
  // Where no process writes, all flushes whose numbers were drawn before are finished.
  const position = new SeenFlushes(settled ?? first.drawn)
  return writePosition('datapoints', markOf(identity, domain.uuid), position)
}
