import { beforeAll, expect, it } from 'vitest'
import { createEvent } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { MOST_COUNTED_ROWS } from '../../src/console/parts/table.ts'
import { makeHouse, type House } from '../support/analyse-house.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// Lists of a system that has told much stop counting, because to count all takes longer than to read a page.

const EVENT = { code: 'restarted', eventType: 'SINGLE_POINT', eventLevel: 'INFO', entityType: 'SYSTEM', message: 'Up' }

let house: House

useConsole()
beforeAll(async () => {
  house = await makeHouse(server.context, { eventModels: [EVENT] })
  await createEvent(server.context, EVERYWHERE, { eventModel: 'restarted', system: house.systemUuid })
  await house.set(48)
  await copied('events', {})
  await copied('setpoints', { state: 'SUPERSEDED' })
})

async function copied(table: 'events' | 'setpoints', changes: object): Promise<void> {
  await server.context.database.statement(
    `insert into ${table} select (jsonb_populate_record(e, $1::jsonb || jsonb_build_object('uuid', gen_random_uuid()))).*
     from ${table} e, generate_series(1, $2::int8)`,
    [JSON.stringify(changes), MOST_COUNTED_ROWS + 50],
  )
}

it.each([
  ['events', 'more than 10,000, 0 open'],
  ['setpoints', '<span class="note">more than 10,000</span>'],
])('%s', async (page, note) => {
  const { status, text } = await operator.get(`/systems/${house.systemUuid}/${page}`)
  expect(status).toBe(200)
  expect(text).toContain(note)
  expect(text).toContain('1 – 50 of more than 10,000')
})
