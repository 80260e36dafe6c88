import { HoldfastError } from '../../../../lib/errors.ts'
import { listSystemSeries, type SystemSeriesList } from '../../../../platform/systems/system-series.ts'
import { findSystem, type System } from '../../../../platform/systems/systems.ts'
import { checkUuid } from '../../../../server/checked-arguments.ts'
import type { Visit } from '../../../page.ts'
import { readFigures, type Looking } from './read-figures.ts'
import type { ReadSeries } from './picture.ts'
import { chosenOf, readSeen, type Seen } from './seen.ts'
import { shapeOf } from './shape.ts'

/** A system as somebody looks at it: what the address says, found. */
export interface Look extends SystemSeriesList {
  readonly system: System
  readonly seen: Seen
  readonly chosen: SystemSeriesList['series']
}

export async function lookAt(visit: Visit): Promise<Look> {
  const { context, actor, param } = visit
  const seen = readSeen(visit)
  const uuid = checkUuid(param('uuid'), 'uuid')
  const system = await findSystem(context, actor, uuid)
  if (system === null) throw new HoldfastError('NOT_FOUND', `there is no system ${uuid}`)
  const list = await listSystemSeries(context, actor, uuid)
  return { system, seen, ...list, chosen: chosenOf(list.series, seen) }
}

/** Whether states would change a display that has only lines, which is asked before it is done. */
export function asksForStates({ seen, chosen }: Pick<Look, 'seen' | 'chosen'>): boolean {
  const shapes = new Set(chosen.map(shapeOf))
  return seen.states === null && seen.display === 'chart' && shapes.has('line') && shapes.has('state')
}

/** The chosen series without states that are not to be shown below lines. */
export function shownOf(look: Pick<Look, 'seen' | 'chosen'>): Look['chosen'] {
  const { seen, chosen } = look
  const hasLines = chosen.some((series) => shapeOf(series) === 'line')
  const hidesStates = asksForStates(look) || (hasLines && seen.states === 'none')
  return hidesStates ? chosen.filter((series) => shapeOf(series) !== 'state') : chosen
}

/** Reads the series one after the other: several at once would take connections from those who send. */
export async function readShown(visit: Looking, look: Look): Promise<readonly ReadSeries[]> {
  const read: ReadSeries[] = []
  for (const series of shownOf(look)) read.push({ series, figures: await readFigures(visit, series, look.seen.window) })
  return read
}
