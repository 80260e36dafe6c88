import { measureSending } from './datapoints-subject.ts'
import type { Measured } from './fleet-goals.ts'
import { PER_SYSTEM, tell, type Fleet } from './fleet-subject.ts'
import { peakMemory } from './processes.ts'

const SERIES = 1_000_000
/** The client keeps all bodies of what it sends at once. */
const AT_ONCE = 100_000

/** The most memory that a server holds that a million series have written to, each twice. */
export async function measureLarge(fleet: Fleet): Promise<Measured> {
  for (let made = 0; made < SERIES; made += AT_ONCE) {
    const series = await fleet.site.add(AT_ONCE, PER_SYSTEM)
    await measureSending(fleet, { batch: 1_000, connections: 8, points: AT_ONCE * 2, series })
    const megabytes = peakMemory(fleet.server.pid) / 1_024
    tell(`  ${(made + AT_ONCE).toLocaleString('en-US')} series: ${megabytes.toFixed(0)} MB`)
  }
  return { largeMemory: peakMemory(fleet.server.pid) / 1_024 }
}
