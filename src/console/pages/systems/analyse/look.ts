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

/** A system and everything that the address of the page selects. */
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

/** Whether to ask before states change a display that has only lines. */
export function asksForStates({ seen, chosen }: Pick<Look, 'seen' | 'chosen'>): boolean {
  const shapes = new Set(chosen.map(shapeOf))
  return seen.states === null && seen.display === 'chart' && shapes.has('line') && shapes.has('state')
}

/** The chosen series, without states if the person does not want them below lines. */
export function shownOf(look: Pick<Look, 'seen' | 'chosen'>): Look['chosen'] {
  const { seen, chosen } = look
  const hasLines = chosen.some((series) => shapeOf(series) === 'line')
  const hidesStates = asksForStates(look) || (hasLines && seen.states === 'none')
  return hidesStates ? chosen.filter((series) => shapeOf(series) !== 'state') : chosen
}

/** Reads one series after the other, because parallel readings would take connections from senders. */
export async function readShown(visit: Looking, look: Look, mostTexts?: number): Promise<readonly ReadSeries[]> {
  const read: ReadSeries[] = []
  for (const series of shownOf(look))
    read.push({ series, figures: await readFigures(visit, series, look.seen.window, mostTexts) })
  return read
}
