import type { Setpoint } from '../../../../platform/setpoints/setpoint.ts'
import type { SystemSeries } from '../../../../platform/datapoints/reading/series/system-series.ts'
import { findGaps, shortened, wholeOf, wholeOfValues } from '../../../assets/analyse/computed.js'
import { originOf } from '../../applies/origin.ts'
import { boundariesOf, isOf, type Marks } from './marks.ts'
import { exactOf, type Figures, type Point } from './read-figures.ts'
import { seriesAddress } from './seen.ts'
import { isSetting, nameOf, optionsOf, precisionOf, unitOf } from './shape.ts'
import type { Window } from './span.ts'

// The data for the script. Times are milliseconds since the beginning of the window. The time of each point is the
// difference from the previous point, which keeps the numbers short.

export interface ReadSeries {
  readonly series: SystemSeries
  readonly figures: Figures
}

export interface Looked {
  readonly window: Window
  readonly now: number
}

/** The data of one series for the script. */
export function drawnSeries({ series, figures }: ReadSeries, marks: Marks, looked: Looked) {
  const { window } = looked
  return {
    id: seriesAddress(series),
    name: nameOf(series),
    of: series.componentName,
    unit: unitOf(series),
    precision: precisionOf(series),
    isSetting: isSetting(series),
    options: Object.fromEntries(optionsOf(series)),
    caption: captionOf(figures),
    ...drawnFigures(series, figures, looked),
    bounds: boundariesOf(series, marks.changes, window).map(({ name, value, from, to }) => ({
      name,
      value,
      from: from - window.from,
      to: to - window.from,
    })),
    setpoints: marks.setpoints.filter((one) => isOf(series, one)).map((one) => drawnSetpoint(one, window.from)),
    refused: marks.refused
      .filter((one) => isOf(series, one))
      .map(({ firstAt, lastAt, count, code }) => ({
        from: firstAt.getTime() - window.from,
        to: lastAt.getTime() - window.from,
        count,
        code,
      })),
  }
}

/** A setpoint with its times in milliseconds after the given one. */
export function drawnSetpoint({ uuid, setAt, changedAt, state, value, reason }: Setpoint, from: number) {
  return { uuid, at: Math.round(setAt / 1_000) - from, changed: changedAt.getTime() - from, state, value, reason }
}

/** Explains which figures were computed. */
export function captionOf(figures: Figures): string {
  if (figures.form === 'buckets') return `${figures.interval.label}: minimum, mean, maximum`
  return figures.form === 'states' && figures.isMerged ? 'longest state of each stretch' : 'raw'
}

function drawnFigures(series: SystemSeries, figures: Figures, looked: Looked) {
  const { from } = looked.window
  switch (figures.form) {
    case 'raw': {
      const points = withBefore(series, figures, from)
      const times = points.map(({ at }) => at)
      return {
        form: 'raw',
        at: distances(times, from),
        values: points.map(({ value }) => value),
        whole: wholeOfValues(figures.points.map(({ value }) => exactOf(value))),
        isHeld: points.length > figures.points.length,
        gaps: gapsOf(series, times, looked),
      }
    }
    case 'buckets': {
      const { buckets, interval, lastAt } = figures
      const times = buckets.map(({ at }) => at)
      return {
        form: 'buckets',
        interval: interval.ms,
        at: distances(times, from),
        min: buckets.map(({ min }) => min),
        mean: buckets.map(({ mean }) => shortened(mean)),
        max: buckets.map(({ max }) => max),
        counts: buckets.map(({ count }) => count),
        last: buckets.at(-1)?.last ?? null,
        lastAt: lastAt === null ? null : lastAt - from,
        whole: wholeOf(buckets),
        gaps: gapsOf(series, times, looked, interval.ms),
      }
    }
    case 'states':
      return {
        form: 'states',
        runs: figures.states.map(({ from: begin, to, value }) => [
          begin - from,
          Math.min(to, looked.now) - from,
          value,
        ]),
      }
    case 'texts':
      return { form: 'texts' }
  }
}

/** Adds the last value of a setting at the left edge. */
function withBefore(
  series: SystemSeries,
  { points, before }: { readonly points: readonly Point[]; readonly before: Point | null },
  from: number,
): readonly Point[] {
  return isSetting(series) && before !== null && points[0]?.at !== from
    ? [{ at: from, value: before.value }, ...points]
    : points
}

/** The gaps, in milliseconds since the beginning of the window. */
function gapsOf(series: SystemSeries, times: readonly number[], { window, now }: Looked, interval = 0): number[][] {
  if (isSetting(series)) return []
  const gaps = findGaps(times, { from: window.from, to: Math.min(window.to, now) }, interval)
  return gaps.map((gap) => gap.map((at) => at - window.from))
}

function distances(times: readonly number[], from: number): number[] {
  return times.map((time, index) => time - (times[index - 1] ?? from))
}

/** The marks that cross all lanes. */
export function drawnMarks({ changes, events }: Marks, { window, now }: Looked) {
  const applies = new Map(changes.map(({ apply }) => [apply.uuid, apply]))
  return {
    applies: [...applies.values()]
      .filter(({ at }) => at.getTime() < window.to)
      .map(({ uuid, at, origin }) => ({
        at: at.getTime() - window.from,
        label: originOf(origin).commit?.slice(0, 7) ?? 'apply',
        href: `/applies/${uuid}`,
      })),
    events: events.map(({ eventModel, eventLevel, eventType, at, endAt }) => ({
      from: at / 1_000 - window.from,
      to:
        (endAt === null ? (eventType === 'SINGLE_POINT' ? at / 1_000 : Math.min(window.to, now)) : endAt / 1_000) -
        window.from,
      isOpen: endAt === null && eventType !== 'SINGLE_POINT',
      label: eventModel,
      level: eventLevel,
    })),
  }
}
