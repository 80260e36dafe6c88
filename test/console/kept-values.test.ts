import { expect, it } from 'vitest'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystem, findSystem, updateSystem } from '../../src/platform/systems/systems.ts'
import { strongSecret } from '../support/example-records.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// A form that is saved keeps what its sender did not change, even values that a browser shows differently.

useConsole()

function attribute(name: string, tag: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]?.replaceAll('&quot;', '"') ?? ''
}

/** What a browser sends of the form with the stored values, as long as nobody changes it. */
function unchanged(page: string): { [name: string]: string[] } {
  const forms = page.matchAll(/<form[^>]*method="post"[^>]*>([\s\S]*?)<\/form>/g)
  const body = [...forms].map(([, form = '']) => form).find((form) => form.includes('shown-with')) ?? ''
  const sent: { [name: string]: string[] } = {}
  for (const [, tag = ''] of body.matchAll(/<input\b([^>]*)>/g)) {
    const isChosen = attribute('type', tag) !== 'checkbox' || /\bchecked\b/.test(tag)
    // A browser drops the line breaks of a field of one line.
    if (isChosen) (sent[attribute('name', tag)] ??= []).push(attribute('value', tag).replaceAll(/[\r\n]/g, ''))
  }
  for (const [, tag = '', text = ''] of body.matchAll(/<textarea\b([^>]*)>([\s\S]*?)<\/textarea>/g))
    sent[attribute('name', tag)] = [text.replaceAll(/\r\n?|\n/g, '\r\n')]
  delete sent['csrf']
  return sent
}

const stored = async () => (await findRecord(server.context, EVERYWHERE, 'applicationConsumers', 'portal'))?.body

it('a scope that the form does not offer stays, until somebody takes it away', async () => {
  const application = {
    slug: 'portal',
    secret: strongSecret('p'),
    name: 'Portal',
    grantTypes: ['AUTHORIZATION_CODE'],
    redirectUris: ['https://portal.example/'],
    scopes: ['openid', 'erp:read'],
  }
  await createRecord(server.context, 'applicationConsumers', application, [])
  const path = '/application-consumers/portal'
  const form = unchanged((await operator.get(path)).text)
  expect(await operator.post(path, { ...form, name: 'New portal' })).toMatchObject({ status: 303 })
  expect(await stored()).toMatchObject({ name: 'New portal', scopes: ['erp:read', 'openid'] })
  const again = unchanged((await operator.get(path)).text)
  expect(await operator.post(path, { ...again, scopes: ['openid'] })).toMatchObject({ status: 303 })
  expect(await stored()).toMatchObject({ scopes: ['openid'] })
})

it('the line ends of a text stay as they are', async () => {
  const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'House' })
  const stored = { key: 'note', value: { string: 'one\rtwo' } }
  await updateSystem(server.context, EVERYWHERE, uuid, {
    metadataKeyValueStore: [stored, { key: 'floor', value: { string: 'old' } }],
  })
  const path = `/systems/${uuid}/metadata`
  const form = unchanged((await operator.get(path)).text)
  expect(await operator.post(path, { ...form, 'metadata floor': 'new' })).toMatchObject({ status: 303 })
  const found = (await findSystem(server.context, EVERYWHERE, uuid))?.metadataKeyValueStore
  expect(found).toContainEqual(stored)
  expect(found).toContainEqual({ key: 'floor', value: { string: 'new' } })
})

it('an event to end that no event can be is refused with words', async () => {
  const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'House' })
  const { status, text } = await operator.post(`/systems/${uuid}/events`, { act: 'end', event: 'none' })
  expect([status, text.includes('Nothing was changed')]).toStrictEqual([422, true])
})
