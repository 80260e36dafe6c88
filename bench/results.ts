import { join } from 'node:path'
import { startPostgres } from '../test/support/postgres-server.ts'
import {
  insertBaseline,
  makeDocument,
  parseBaseline,
  withChanges,
  writeModels,
  type BenchDocument,
  type ParseTime,
} from './documents.ts'
import { forgetPeak, medians, peakMemory, processorTime, runCommand, tell, type Command } from './measure.ts'
import { goalTable, ON_POSTGRES, tenths, whole, type Options, type Reached, type Report, type Table } from './report.ts'
import { pgliteStore, postgresStore, startServer, temporaryDirectory, type Server, type Store } from './server.ts'
import { PLAN } from './targets.ts'

// npm run bench: what commands that plan and apply cost, next to what nothing that does the same work can be faster than.

export async function bench({ size }: Options): Promise<Report> {
  const scale =
    size === 'quick'
      ? { sizes: [1_000], runs: 1, firstRuns: 1 }
      : { sizes: [1_000, 10_000, 100_000], runs: 5, firstRuns: 3 }
  const postgres = await startPostgres({ durable: true })
  const onPostgres = await measureKind('PostgreSQL', () => postgresStore(postgres), scale)
  const onPglite = await measureKind('PGlite', pgliteStore, scale)
  await postgres.stop()
  return { title: 'Plan and apply', about: ABOUT, blocks: [...onPostgres, ...onPglite] }
}

const ABOUT = `${ON_POSTGRES}

Each command is a process of its own (\`bin/holdfast.js\`) against a server that is another one; the database, the server and the client share the machine. Figures are medians of five runs or more, and of three for the first apply, each of which meets an empty database and a server that was just started. Records are characteristics of 14 fields, about 310 bytes of JSON each; JSON is one file, YAML has 20 records in a file. A million of these records, 310 MB, is more than the 64 MiB that an import document may have, so the table ends at 100,000. Other tools were not at hand, so none is compared here.`

interface Scale {
  readonly sizes: readonly number[]
  readonly runs: number
  readonly firstRuns: number
}

/** What one command took on both sides, in milliseconds and kilobytes. */
interface Figures {
  readonly wall: number
  readonly clientCpu: number
  readonly serverCpu: number
  readonly databaseCpu: number
  readonly clientPeak: number
  readonly serverPeak: number
}

interface Row {
  readonly records: number
  readonly command: string
  readonly figures: Figures
}

interface Baselines {
  readonly records: number
  readonly parse: ParseTime
  readonly insert: number
}

interface Measured {
  /** A plan of one record: what the processes need before there is any work. */
  readonly base: Figures
  readonly baselines: readonly Baselines[]
  readonly rows: readonly Row[]
}

async function measureKind(
  name: string,
  newStore: () => Promise<Store>,
  { sizes, runs, firstRuns }: Scale,
): Promise<(string | Table)[]> {
  const base = await measureBase(await newStore(), runs)
  const [baselines, rows]: [Baselines[], Row[]] = [[], []]
  for (const records of sizes) {
    tell(`${name}, ${whole(records)} records …`)
    const document = makeDocument(records)
    const parse = await parseBaseline(document, runs)
    baselines.push({ records, parse, insert: await insertBaseline(await newStore(), document, runs) })
    const cwd = writeAllModels(document)
    const samples: Figures[] = []
    let store = await newStore()
    samples.push(await firstApply(store, cwd, records))
    while (samples.length < firstRuns) {
      await store.remove()
      store = await newStore()
      samples.push(await firstApply(store, cwd, records))
    }
    rows.push({ records, command: 'first apply, JSON', figures: medians(samples) })
    rows.push(...(await measureCommands(store, cwd, records, runs)))
    await store.remove()
  }
  const measured = { base, baselines, rows }
  return [`## ${name}`, baselineTable(baselines), baseText(base), usageTable(rows), goalTable(goalsOf(measured))]
}

/** The models of one size in each form that is measured. */
function writeAllModels(document: BenchDocument): string {
  const cwd = temporaryDirectory()
  for (const layout of ['JSON', 'YAML'] as const) {
    writeModels(join(cwd, layout), document, layout)
    writeModels(join(cwd, `${layout}-changed`), withChanges(document), layout)
  }
  return cwd
}

async function measureBase(store: Store, runs: number): Promise<Figures> {
  const cwd = temporaryDirectory()
  writeModels(join(cwd, 'one'), makeDocument(1), 'JSON')
  const server = await startServer(store)
  const figures = await measure(store, server, cwd, runs, [planOf('one', '1 to create')])
  await server.stop()
  await store.remove()
  return figures
}

/** Plans and applies everything to an empty platform. */
async function firstApply(store: Store, cwd: string, records: number): Promise<Figures> {
  const server = await startServer(store)
  const figures = await measureOnce(store, server, cwd, applyOf('JSON', `${whole(records)} records created`))
  await server.stop()
  return figures
}

type Run = Pick<Command, 'words' | 'expected'>

function planOf(models: string, expected: string): Run {
  return { words: ['plan', '--models', models], expected }
}

function applyOf(models: string, expected: string): Run {
  return { words: ['apply', '--models', models, '--yes'], expected }
}

/** Every command against a platform that holds the records already. Two commands of one row take turns. */
async function measureCommands(store: Store, cwd: string, records: number, runs: number): Promise<Row[]> {
  const updates = whole(records / 100)
  const updated = `${updates} records updated`
  const commands: (readonly [name: string, turns: readonly Run[]])[] = [
    ['plan, JSON, no change', [planOf('JSON', 'No changes on ')]],
    ['plan, JSON, 1 % changed', [planOf('JSON-changed', `${updates} to update`)]],
    ['plan, YAML, no change', [planOf('YAML', 'No changes on ')]],
    ['plan, YAML, 1 % changed', [planOf('YAML-changed', `${updates} to update`)]],
    ['apply, JSON, no change', [applyOf('JSON', 'No changes on ')]],
    ['apply, JSON, 1 % changed', [applyOf('JSON-changed', updated), applyOf('JSON', updated)]],
    ['export', [{ words: ['export', '--out', 'exported'], expected: '' }]],
    ['history', [{ words: ['history'], expected: 'operator' }]],
  ]
  const server = await startServer(store)
  const rows: Row[] = []
  for (const [command, turns] of commands)
    rows.push({ records, command, figures: await measure(store, server, cwd, runs, turns) })
  await server.stop()
  return rows
}

async function measure(
  store: Store,
  server: Server,
  cwd: string,
  runs: number,
  turns: readonly Run[],
): Promise<Figures> {
  const samples: Figures[] = []
  for (let run = 0; run < runs; run++)
    for (const command of turns) samples.push(await measureOnce(store, server, cwd, command))
  return medians(samples)
}

/** Runs a command against a running server and looks at both. */
async function measureOnce(store: Store, server: Server, cwd: string, { words, expected }: Run): Promise<Figures> {
  const env = { HOLDFAST_TOKEN: await server.token() }
  forgetPeak(server.pid)
  const before = { server: processorTime(server.pid), database: store.databaseCpu() }
  const client = await runCommand({ words: [...words, '--url', server.url], cwd, env, expected })
  return {
    wall: client.wall,
    clientCpu: client.cpu,
    serverCpu: processorTime(server.pid) - before.server,
    databaseCpu: store.databaseCpu() - before.database,
    clientPeak: client.peak,
    serverPeak: peakMemory(server.pid),
  }
}

const megabytes = (kilobytes: number): string => whole(kilobytes / 1024)

function baselineTable(baselines: readonly Baselines[]): Table {
  return {
    columns: ['records', 'JSON.parse, ms', 'its processor time', 'bare `unnest` insert, ms'],
    rows: baselines.map(({ records, parse, insert }) => [
      whole(records),
      tenths(parse.wall),
      tenths(parse.processor),
      whole(insert),
    ]),
  }
}

function baseText({ wall, clientPeak, serverPeak }: Figures): string {
  return `A plan of one record takes ${whole(wall)} ms; the client then holds ${megabytes(clientPeak)} MB at most and the server ${megabytes(serverPeak)} MB. That is the base of the memory ratios below.`
}

function usageTable(rows: readonly Row[]): Table {
  const times = ['wall, ms', 'client CPU', 'server CPU', 'database CPU']
  return {
    columns: ['records', 'command', ...times, 'client peak, MB', 'server peak, MB'],
    rows: rows.map(({ records, command, figures }) => [
      whole(records),
      command,
      ...[figures.wall, figures.clientCpu, figures.serverCpu, figures.databaseCpu].map(whole),
      ...[figures.clientPeak, figures.serverPeak].map(megabytes),
    ]),
  }
}

/** The ratios at the largest size of the run, and the growth from each size to the next. */
function goalsOf({ base, baselines, rows }: Measured): Reached[] {
  const figuresOf = (records: number, command: string): Figures => {
    const row = rows.find((one) => one.records === records && one.command === command)
    if (row === undefined) throw new Error(`${command} was not measured with ${records} records`)
    return row.figures
  }
  const { records, parse, insert } = baselines.at(-1)!
  const largest = (command: string): Figures => figuresOf(records, command)
  // Client and server count by their processor time, which the other work of the machine does not change.
  const cpu = ({ clientCpu, serverCpu }: Figures): number => (clientCpu + serverCpu) / parse.processor
  const [json, yaml] = [largest('plan, JSON, no change'), largest('plan, YAML, no change')]
  const memory = ['plan, JSON, no change', 'plan, YAML, no change', 'first apply, JSON'].flatMap((command) => {
    const { clientPeak, serverPeak } = largest(command)
    const [client, server] = [PLAN.clientMemory, PLAN.serverMemory]
    return [
      { ...client, what: `${command}: ${client.what}`, actual: (clientPeak - base.clientPeak) / records },
      { ...server, what: `${command}: ${server.what}`, actual: (serverPeak - base.serverPeak) / records },
    ]
  })
  const growth = baselines.slice(1).map(({ records: to }, index) => {
    const from = baselines[index]!.records
    const growths = rows
      .filter((row) => row.records === to)
      .map(({ command, figures }) => ({ command, factor: figures.wall / figuresOf(from, command).wall }))
    const most = growths.reduce((a, b) => (b.factor > a.factor ? b : a))
    const what = `growth from ${whole(from)} to ${whole(to)} records, the most of all commands (${most.command})`
    return { ...PLAN.growth, what, actual: most.factor }
  })
  const slowest = rows
    .filter((row) => row.records === 1_000)
    .reduce((a, b) => (b.figures.wall > a.figures.wall ? b : a))
  const slowestWhat = `${PLAN.slowest.what} (${slowest.command}), seconds`
  return [
    { ...PLAN.planJson, actual: cpu(json) },
    { ...PLAN.planYaml, actual: cpu(yaml) },
    { ...PLAN.changesJson, actual: largest('plan, JSON, 1 % changed').wall / json.wall },
    { ...PLAN.changesYaml, actual: largest('plan, YAML, 1 % changed').wall / yaml.wall },
    { ...PLAN.firstApply, actual: largest('first apply, JSON').wall / insert },
    ...memory,
    ...growth,
    { ...PLAN.slowest, what: slowestWhat, actual: slowest.figures.wall / 1_000 },
  ]
}
