import { beforeEach, expect, it } from 'vitest'
import { ChangeSignals } from '../../../src/platform/change-signals.ts'
import { PendingWatch } from '../../../src/platform/setpoints/pending-watch.ts'
import { waitForPending } from '../../../src/platform/setpoints/take-pending.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { updateSystem } from '../../../src/platform/systems/systems.ts'
import { countingDatabase, type CountingDatabase } from '../../support/counting-database.ts'
import { makeSettingSite, type SettingSite } from '../../support/setting-site.ts'
import { oneDomain } from '../one-domain.ts'
import { add } from './support.ts'

const domain = oneDomain()
let site: SettingSite
let database: CountingDatabase
const changes = new ChangeSignals()
beforeEach(async () => {
  site = await makeSettingSite(domain())
  database = countingDatabase(domain().database)
})

const countOf = (text: string) => database.statements.filter((statement) => statement.includes(text)).length
const looksOfWatch = () => countOf(`e.state = 'PENDING' and`)
const looksOfDevice = () => countOf(`e.state in ('PENDING', 'SENT')`)

it('a device looks once more for setpoints that it cannot carry out, and not each time that somebody looks', async () => {
  const [system] = site.systems
  await add(domain(), site.element('target', 21))
  await updateSystem(domain(), EVERYWHERE, system, { status: 'DEACTIVATED' })
  const watch = new PendingWatch({ database, changes, isEnding: () => false })
  const left = new AbortController()
  const waiting = waitForPending(
    { ...domain(), database },
    { system, components: null, units: null },
    { watch, ms: 60_000, left: left.signal, checkAgain: () => Promise.resolve() },
  )
  while (looksOfWatch() < 4) {
    changes.signal(domain().domain.id, 'setpoints')
    await new Promise(setImmediate)
  }
  expect(looksOfDevice()).toBe(2)
  left.abort()
  expect(await waiting).toEqual([])
})
