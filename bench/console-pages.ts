import { brotliCompressSync, constants } from 'node:zlib'
import type { CookieClient } from '../test/support/cookie-client.ts'
import type { ConsoleServer } from './console-server.ts'
import type { House } from './console-site.ts'
import { familyProcessorTime } from './processes.ts'

export interface PageCost {
  readonly what: string
  readonly statements: number
  /** Of the server and of the database, in milliseconds. */
  readonly server: number
  readonly database: number
  /** As they are sent, compressed. */
  readonly bytes: number
}

interface Measuring {
  readonly server: ConsoleServer
  readonly client: CookieClient
  readonly house: House
  /** The process of PostgreSQL. */
  readonly database: number
}

/** The database tells its time in hundredths of a second, so it is asked about several turns at once. */
const TURNS = 10

/** The addresses of everything that is looked at. */
function addresses({ systemUuid, month, six, day }: House): readonly (readonly [what: string, path: string])[] {
  const system = `/systems/${systemUuid}`
  const shown = six.map((one) => `show=${encodeURIComponent(one)}`).join('&')
  const whole = `show=${encodeURIComponent(month)}&window=30d`
  return [
    ['Home', '/'],
    ['Systems', '/systems'],
    ['Systems: a search that finds one', '/systems?search=number+4321+of'],
    ['Systems: a search that finds none', '/systems?search=nowhere'],
    ['Systems: a search that finds all', '/systems?search=house'],
    ['Systems: a search in other letters', '/systems?search=h%C3%B6us'],
    ['Search anything', '/search?q=measured'],
    ['A system', system],
    ['Analyse, six charts', `${system}/analyse?${shown}&${day}`],
    ['Analyse, data of 30 days at 1 Hz', `${system}/analyse/data?${whole}`],
    ['Analyse, data of six series of 86,400 points', `${system}/analyse/data?${shown}&${day}`],
    ['Analyse, the CSV of 30 days at 1 Hz', `${system}/analyse/csv?${whole}`],
    ['Setpoints', `${system}/setpoints`],
    ['Events', `${system}/events`],
    ['Refused', `${system}/refused`],
    ['Credentials', `${system}/credentials`],
    ['Model', '/model'],
    ['Model: characteristics', '/model/characteristics'],
    ['Model: a search that finds one', '/model/characteristics?search=value+4321+of'],
    ['Model: a search that finds none', '/model/characteristics?search=nowhere'],
    ['Model: a search that finds all', '/model/characteristics?search=measured'],
    ['Model: a characteristic of all systems', '/model/characteristics/measure-1'],
    ['Applies', '/applies'],
    ['Drift', '/drift'],
    ['Organizations', '/organizations'],
    ['Users', '/users'],
    ['Machine users', '/machine-users'],
    ['Application consumers', '/application-consumers'],
    ['Authentication methods', '/auth-methods'],
  ]
}

export async function measurePages(measuring: Measuring): Promise<readonly PageCost[]> {
  const costs: PageCost[] = []
  for (const [what, path] of addresses(measuring.house)) {
    const cost = await costOf(measuring, what, path)
    process.stderr.write(`  ${what}: ${cost.statements} statements, ${cost.server.toFixed(1)} + ${cost.database} ms\n`)
    costs.push(cost)
  }
  return costs
}

async function costOf({ server, client, database }: Measuring, what: string, path: string): Promise<PageCost> {
  const ask = async (coding: string) => {
    const reply = await client.get(server.url + path, { 'accept-encoding': coding })
    if (reply.status !== 200) throw new Error(`${path} was answered with ${reply.status}`)
    return reply.text
  }
  // What is remembered from the first look on is not measured.
  const text = await ask('identity')
  const [before, used] = [familyProcessorTime(database), await server.used()]
  for (let turn = 0; turn < TURNS; turn++) await ask('br')
  const after = await server.used()
  return {
    what,
    statements: Math.round((after.statements - used.statements) / TURNS),
    server: (after.cpu - used.cpu) / TURNS,
    database: (familyProcessorTime(database) - before) / TURNS,
    bytes: brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length,
  }
}
