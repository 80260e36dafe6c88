import {
  listSystemSeries,
  type SystemSeriesList,
} from '../../../../platform/datapoints/reading/series/system-series.ts'
import type { System } from '../../../../platform/systems/systems.ts'
import type { Visit } from '../../../page.ts'
import { readFigures, type Looking } from './read-figures.ts'
import type { ReadSeries } from './picture.ts'
import { chosenOf, readSeen, type Seen } from './seen.ts'
import { shapeOf } from './shape.ts'
import { requireSystem } from '../system-view.ts'

/** A system as a person looks at it: all that the address of the page names. */
export interface Look extends SystemSeriesList {
  readonly system: System
  readonly seen: Seen
  readonly chosen: SystemSeriesList['series']
}

export async function lookAt(visit: Visit): Promise<Look> {
  const { context, actor } = visit
  const seen = readSeen(visit)
  const system = await requireSystem(visit)
  const list = await listSystemSeries(context, actor, system.uuid)
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
export async function readShown(visit: Looking, look: Look, mostTexts?: number): Promise<readonly ReadSeries[]> {
  const read: ReadSeries[] = []
  for (const series of shownOf(look))
    read.push({ series, figures: await readFigures(visit, series, look.seen.window, mostTexts) })
  return read
}
