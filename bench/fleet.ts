import { startPostgres } from '../test/support/postgres-server.ts'
import { PER_SYSTEM, SIZES, USUAL, WHOLE, type Fleet, type FleetSize, type Measured } from './fleet-sizes.ts'
import { measureHour, measureHourly, measureYear } from './fleet-stored.ts'
import { aboutInflux, startInflux, type InfluxServer } from './influx.ts'
import type { Sending } from './load.ts'
import { median, medians, peakMemory, tell } from './measure.ts'
import { goalTable, hundredths, ON_POSTGRES, whole, type Options, type Report, type Table } from './report.ts'
import { cellsOf, measureCopy, measureSending, sendToInflux, TAKEN, type Taken } from './sending.ts'
import { openSite, postgresStore, startServer } from './server.ts'
import { FLEET, type Goal } from './targets.ts'

// npm run bench:fleet [-- --parts shapes,hour,hourly,year,large]: datapoints as fleets of devices send them, one of each of
// many series at a time, next to InfluxDB and COPY in the same run.

export async function bench({ size, parts = USUAL[size] }: Options): Promise<Report> {
  const sizes = SIZES[size]
  const influx = await startInflux()
  const postgres = await startPostgres({ durable: true })
  let turns: readonly Turn[] = []
  const works: { readonly [part: string]: (fleet: Fleet) => Promise<Measured> } = {
    shapes: async (fleet) => {
      const shapes = await measureShapes(fleet, influx, sizes)
      turns = shapes.turns
      return shapes.measured
    },
    hour: (fleet) => measureHour(fleet, sizes),
    hourly: (fleet) => measureHourly(fleet, sizes),
    year: (fleet) => measureYear(fleet, sizes),
    large: (fleet) => measureLarge(fleet, sizes),
  }
  let measured: Measured = {}
  for (const part of parts) {
    const work = works[part]
    if (work === undefined) throw new Error(`there is no part ${part}; possible are ${Object.keys(works).join(', ')}`)
    tell(`${part} …`)
    const store = await postgresStore(postgres)
    const server = await startServer(store)
    const database = await store.open()
    const site = await openSite(database)
    measured = { ...measured, ...(await work({ store, server, database, site })) }
    await server.stop()
    await database.close()
    await store.remove()
  }
  const goals = Object.entries<Goal>(FLEET) as [keyof typeof FLEET, Goal][]
  return {
    title: 'Fleets',
    about: `${ON_POSTGRES} ${aboutInflux(influx)}

A fleet of ${whole(sizes.series)} series sends one point of each a round. Server, database, InfluxDB and the client share the machine; the shapes take turns, and ratios are medians of the turns. COPY is one statement of a million rows of text into a table without a key. Bytes a point are those of all tables of datapoints with their indexes; after an hour and when all is joined without dead rows, which VACUUM removes in its own time. All folding and joining is that which is due within 45 days, done by the platform's own code with its clock set forward. Reads while the fleet sends are at a point of each series in ten seconds. Memory is the most that the server held.`,
    blocks: [
      goalTable(goals.map(([name, goal]) => ({ ...goal, actual: measured[name] }))),
      ...(turns.length === 0 ? [] : shapeBlocks(turns)),
    ],
  }
}

/** The shapes in which points are sent. */
const SHAPES = {
  wide: '1,000 a batch, 8 connections, all series',
  devices: '10 a request, 64 connections, 30,000 series',
  firstWide: 'first contact, 1,000 a request',
  firstDevices: 'first contact, 10 a request',
  old: '1,000 a batch, 8 connections, 1,000 series',
  oldSmall: '100 a batch, 32 connections, 1,000 series',
}
type Shape = keyof typeof SHAPES
const SHAPE_NAMES = Object.keys(SHAPES) as Shape[]

/** What one turn has measured of each shape, and rows a second of COPY. */
interface Turn {
  readonly copy: number
  readonly holdfast: { readonly [shape in Shape]: Taken }
  readonly influx: { readonly [shape in Shape]: Taken } | null
}

async function measureShapes(
  fleet: Fleet,
  influx: InfluxServer | null,
  sizes: FleetSize,
): Promise<{ readonly turns: readonly Turn[]; readonly measured: Measured }> {
  const all = await fleet.site.add(sizes.series, PER_SYSTEM)
  const once = { batch: 1_000, connections: 8, points: all.length, series: all }
  await measureSending(fleet, once, 'warming up: each series for the first time')
  if (influx !== null) await sendToInflux(influx, once)
  await measureSending(fleet, { ...once, points: all.length * sizes.rounds }, 'warming up: the whole fleet')
  const memory = peakMemory(fleet.server.pid) / 1_024
  const turns: Turn[] = []
  while (turns.length < sizes.turns) turns.push(await turnOf(fleet, influx, await sendingsOf(fleet, sizes, all)))
  const of = (figure: (turn: Turn) => number) => median(turns.map(figure))
  const against = (shape: Shape) =>
    influx === null ? {} : { [shape]: of((turn) => turn.holdfast[shape].perSecond / turn.influx![shape].perSecond) }
  const measured = {
    ...against('wide'),
    ...against('devices'),
    ...against('firstWide'),
    ...against('firstDevices'),
    firstWideMicros: of(({ holdfast }) => holdfast.firstWide.server),
    firstDevicesMicros: of(({ holdfast }) => holdfast.firstDevices.server),
    oldCopy: of(({ holdfast, copy }) => holdfast.old.perSecond / copy),
    oldSmall: of(({ holdfast }) => holdfast.oldSmall.perSecond / holdfast.old.perSecond),
    ...(sizes.series === WHOLE.series && { memory }),
  }
  return { turns, measured }
}

/** Each takes some seconds, as a server runs for days. First contacts have new series in each turn. */
async function sendingsOf(
  { site }: Fleet,
  sizes: FleetSize,
  all: readonly string[],
): Promise<{ readonly [shape in Shape]: Sending }> {
  const [devices, old] = [all.slice(0, sizes.devices), all.slice(0, 1_000)]
  const [firstWide, firstDevices] = [await site.add(sizes.firstWide), await site.add(sizes.firstDevices)]
  const wide = { batch: 1_000, connections: 8 }
  const small = { batch: 10, connections: 64 }
  return {
    wide: { ...wide, points: all.length * sizes.rounds, series: all },
    devices: { ...small, points: devices.length * sizes.deviceRounds, series: devices },
    firstWide: { ...wide, points: firstWide.length, series: firstWide },
    firstDevices: { ...small, points: firstDevices.length, series: firstDevices },
    old: { ...wide, points: sizes.oldPoints, series: old },
    oldSmall: { batch: 100, connections: 32, points: sizes.oldSmallPoints, series: old },
  }
}

async function turnOf(
  fleet: Fleet,
  influx: InfluxServer | null,
  sendings: { readonly [shape in Shape]: Sending },
): Promise<Turn> {
  const copy = await measureCopy(fleet.database)
  const [holdfast, other] = [{} as { [shape in Shape]: Taken }, {} as { [shape in Shape]: Taken }]
  for (const shape of SHAPE_NAMES) {
    holdfast[shape] = await measureSending(fleet, sendings[shape], shape)
    if (influx !== null) other[shape] = await sendToInflux(influx, sendings[shape])
  }
  return { copy, holdfast, influx: influx && other }
}

function shapeBlocks(turns: readonly Turn[]): (string | Table)[] {
  const rows = SHAPE_NAMES.map((shape) => {
    const influx = turns.flatMap((turn) => turn.influx?.[shape] ?? [])
    const { perSecond, server } = medians(influx)
    return [
      SHAPES[shape],
      ...cellsOf(medians(turns.map(({ holdfast }) => holdfast[shape]))),
      ...(influx.length === 0 ? ['', ''] : [whole(perSecond), hundredths(server)]),
    ]
  })
  const copy = whole(median(turns.map((turn) => turn.copy)))
  return [
    { columns: ['', ...TAKEN, 'InfluxDB', 'its CPU'], rows },
    `COPY of text, without a key: ${copy} rows a second.`,
  ]
}

/** The client keeps all bodies of what it sends at once. */
const AT_ONCE = 100_000

/** The most memory that a server holds after many series have written to it, each twice. */
async function measureLarge(fleet: Fleet, { largeSeries }: FleetSize): Promise<Measured> {
  for (let made = 0; made < largeSeries; made += AT_ONCE) {
    const series = await fleet.site.add(Math.min(AT_ONCE, largeSeries), PER_SYSTEM)
    const sending = { batch: 1_000, connections: 8, points: series.length * 2, series }
    await measureSending(fleet, sending, `${whole(made)} series and ${whole(series.length)} more`)
  }
  return { largeMemory: peakMemory(fleet.server.pid) / 1_024 }
}
