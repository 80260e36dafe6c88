import { median } from './measure.ts'
import { familyProcessorTime, processorTime } from './processes.ts'

// What is compared takes turns, round after round: whatever else the machine does meanwhile falls on all alike.

export const ROUNDS = 15
const WARM_UP = 0.1
const SECONDS = 0.4

export interface Work {
  readonly what: string
  run(): Promise<unknown>
}

export interface Row {
  readonly what: string
  readonly atOnce: number
  /** The median of the rounds. */
  readonly perSecond: number
  /** How many times as long as the first of the works in the same round: the median. */
  readonly times: number
  /** Of this process and of the database for each, in milliseconds. */
  readonly processor: number
}

interface Turn {
  readonly perSecond: number
  readonly processor: number
}

/** `database`: its process, whose children work for it. */
export async function measureInTurns(works: readonly Work[], atOnce: number, database: number): Promise<Row[]> {
  const turns = works.map((): Turn[] => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { run }] of works.entries()) {
      const loops = Array<Work['run']>(atOnce).fill(run)
      await countIn(WARM_UP, loops)
      turns[index]!.push(await turnOf(loops, database))
    }
  }
  return works.map(({ what }, index) => rowOf({ what, atOnce }, turns[index] ?? [], turns[0] ?? []))
}

async function turnOf(loops: readonly Work['run'][], database: number): Promise<Turn> {
  const used = () => processorTime(process.pid) + familyProcessorTime(database)
  const [before, began] = [used(), performance.now()]
  const count = await countIn(SECONDS, loops)
  return { perSecond: (count * 1_000) / (performance.now() - began), processor: (used() - before) / count }
}

function rowOf({ what, atOnce }: Pick<Row, 'what' | 'atOnce'>, turns: readonly Turn[], others: readonly Turn[]): Row {
  return {
    what,
    atOnce,
    perSecond: median(turns.map(({ perSecond }) => perSecond)),
    times: median(turns.map(({ perSecond }, round) => others[round]!.perSecond / perSecond)),
    processor: median(turns.map(({ processor }) => processor)),
  }
}

/** How often these loops have come round. */
export async function countIn(seconds: number, works: readonly (() => Promise<unknown>)[]): Promise<number> {
  let count = 0
  const end = performance.now() + seconds * 1_000
  const loop = async (work: () => Promise<unknown>): Promise<void> => {
    while (performance.now() < end) {
      await work()
      count += 1
    }
  }
  await Promise.all(works.map(loop))
  return count
}
