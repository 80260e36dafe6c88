import { medians, runCommand, type Command } from './measure.ts'
import type { Server, StoreKind } from './platform.ts'
import { forgetPeak, peakMemory, processorTime } from './processes.ts'

/** What one command took on both sides; milliseconds and kilobytes. */
export interface Figures {
  readonly [figure: string]: number
  readonly wall: number
  readonly clientCpu: number
  readonly serverCpu: number
  readonly databaseCpu: number
  readonly clientPeak: number
  readonly serverPeak: number
}

/** One line of the table of results. */
export interface Row {
  readonly database: StoreKind['name']
  readonly records: number
  readonly command: string
  readonly runs: number
  readonly figures: Figures
}

export interface Place {
  readonly kind: StoreKind
  readonly server: Server
  readonly cwd: string
}

export type BenchCommand = Pick<Command, 'words' | 'expected'>

/** Runs a command against a running server and looks at both. */
export async function measureOnce({ kind, server, cwd }: Place, command: BenchCommand): Promise<Figures> {
  const token = await server.token()
  forgetPeak(server.pid)
  const before = { server: processorTime(server.pid), database: kind.processorTime() }
  const words = [...command.words, '--url', server.url]
  const client = await runCommand({ ...command, words, cwd, env: { HOLDFAST_TOKEN: token } })
  return {
    wall: client.wall,
    clientCpu: client.cpu,
    serverCpu: processorTime(server.pid) - before.server,
    databaseCpu: kind.processorTime() - before.database,
    clientPeak: client.peak,
    serverPeak: peakMemory(server.pid),
  }
}

/** The medians of several runs of one command, or of several that take turns. */
export async function measure(place: Place, runs: number, ...commands: readonly BenchCommand[]): Promise<Figures> {
  const samples: Figures[] = []
  for (let run = 0; run < runs; run++) {
    for (const command of commands) samples.push(await measureOnce(place, command))
  }
  return medians(samples)
}
