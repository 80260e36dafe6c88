import { measureBaseline } from './datapoints-baseline.ts'
import type { InfluxServer } from './datapoints-influx.ts'
import { measureSending, sendToInflux, type Sending, type Taken } from './datapoints-subject.ts'
import type { Measured } from './fleet-goals.ts'
import type { Sizes } from './fleet-options.ts'
import { PER_SYSTEM, tell, type Fleet } from './fleet-subject.ts'
import { median } from './measure.ts'
import { peakMemory } from './processes.ts'

// What is sent in the shapes of a fleet, and in the old one. All shapes take turns, and InfluxDB follows in each.

const SHAPES = ['wide', 'devices', 'firstWide', 'firstDevices', 'old', 'oldSmall'] as const
export type Shape = (typeof SHAPES)[number]

/** What one turn has measured: a shape for both, and points a second of COPY. */
export interface Turn {
  readonly copy: number
  readonly holdfast: { readonly [shape in Shape]: Taken }
  readonly influx: { readonly [shape in Shape]: Taken } | null
}

const DEVICE_SERIES = 30_000

export interface Shapes {
  readonly turns: readonly Turn[]
  /** The most that the server held while the whole fleet sent, in megabytes. */
  readonly memory: number
}

export async function measureShapes(fleet: Fleet, influx: InfluxServer | null, sizes: Sizes): Promise<Shapes> {
  const all = await fleet.site.add(sizes.series, PER_SYSTEM)
  const warm = { batch: 1_000, connections: 8, points: all.length, series: all }
  tellTaken('warming up: each series for the first time', await measureSending(fleet, warm))
  if (influx !== null) await sendToInflux(influx, warm)
  tellTaken('warming up: the whole fleet', await measureSending(fleet, { ...warm, points: all.length * sizes.rounds }))
  const memory = peakMemory(fleet.server.pid) / 1_024
  const turns: Turn[] = []
  while (turns.length < sizes.turns) turns.push(await turnOf(fleet, influx, await sendingsOf(fleet, sizes, all)))
  return { turns, memory }
}

type Sendings = { readonly [shape in Shape]: Sending }

/** Each takes some seconds, as a server runs for days; with series of their own for what is sent for the first time. */
async function sendingsOf({ site }: Fleet, { isQuick, rounds }: Sizes, all: readonly string[]): Promise<Sendings> {
  const [devices, old] = [all.slice(0, DEVICE_SERIES), all.slice(0, 1_000)]
  const [newWide, newDevices] = [await site.add(isQuick ? 20_000 : 50_000), await site.add(isQuick ? 5_000 : 20_000)]
  const [wide, small] = [
    { batch: 1_000, connections: 8 },
    { batch: 10, connections: 64 },
  ]
  return {
    wide: { ...wide, points: all.length * rounds, series: all },
    devices: { ...small, points: devices.length * (isQuick ? 5 : 20), series: devices },
    firstWide: { ...wide, points: newWide.length, series: newWide },
    firstDevices: { ...small, points: newDevices.length, series: newDevices },
    old: { ...wide, points: isQuick ? 1_000_000 : 4_000_000, series: old },
    oldSmall: { batch: 100, connections: 32, points: isQuick ? 500_000 : 3_000_000, series: old },
  }
}

async function turnOf(fleet: Fleet, influx: InfluxServer | null, sendings: Sendings): Promise<Turn> {
  const { hot: copy } = await measureBaseline(fleet.database)
  const [holdfast, other] = [{} as { [shape in Shape]: Taken }, {} as { [shape in Shape]: Taken }]
  for (const shape of SHAPES) {
    tellTaken(shape, (holdfast[shape] = await measureSending(fleet, sendings[shape])))
    if (influx !== null) tellTaken('  InfluxDB', (other[shape] = await sendToInflux(influx, sendings[shape])))
  }
  return { copy, holdfast, influx: influx === null ? null : other }
}

function tellTaken(what: string, { perSecond, p50, p99, server, database }: Taken): void {
  tell(
    `${what.padEnd(45)} ${Math.round(perSecond / 1_000)} k/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${server.toFixed(2)} + ${database.toFixed(2)} µs`,
  )
}

/** Medians of the ratios of each turn. */
export function measuredShapes({ turns, memory }: Shapes, { series }: Sizes): Measured {
  const of = (figure: (turn: Turn) => number) => median(turns.map(figure))
  const against = (shape: Shape) =>
    of(({ holdfast, influx }) => holdfast[shape].perSecond / (influx?.[shape].perSecond ?? Number.NaN))
  const compared =
    turns[0]?.influx === null
      ? {}
      : {
          wide: against('wide'),
          devices: against('devices'),
          firstWide: against('firstWide'),
          firstDevices: against('firstDevices'),
        }
  return {
    ...compared,
    firstWideMicros: of(({ holdfast }) => holdfast.firstWide.server),
    firstDevicesMicros: of(({ holdfast }) => holdfast.firstDevices.server),
    oldCopy: of(({ holdfast, copy }) => holdfast.old.perSecond / copy),
    oldSmall: of(({ holdfast }) => holdfast.oldSmall.perSecond / holdfast.old.perSecond),
    ...(series === 100_000 && { memory }),
  }
}
