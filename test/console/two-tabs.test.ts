import { expect, it } from 'vitest'
import { createDelegatedMethod, findMethod } from '../../src/platform/access/methods/methods.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { organizationOf } from '../../src/records/types/user.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystem, findSystem, updateSystem } from '../../src/platform/systems/systems.ts'
import { ANN } from '../support/login-server.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// Two people have the same form open, and both send it.

useConsole()

/** What the form of a page says that it was shown with. */
function shownIn({ text }: { readonly text: string }): string {
  return (/name="shown-with" value="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&quot;', '"')
}

interface Form {
  readonly path: string
  /** Two fields, with what each is shown with. */
  readonly shown: Values
  /** What a browser sends. */
  fields(values: Values): { readonly [name: string]: string | readonly string[] }
  stored(): Promise<Values>
}

const SCOPES = ['openid', 'email', 'model:read', 'setpoints:write']

interface Values {
  readonly [field: string]: string
}

async function metadata(): Promise<Form> {
  const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'House' })
  const items = ['serial', 'floor'].map((key) => ({ key, value: { string: 'old' } }))
  await updateSystem(server.context, EVERYWHERE, uuid, { metadataKeyValueStore: items })
  return {
    path: `/systems/${uuid}/metadata`,
    shown: { serial: 'old', floor: 'old' },
    fields: (values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [`metadata ${key}`, value])),
    async stored() {
      const found = (await findSystem(server.context, EVERYWHERE, uuid))?.metadataKeyValueStore ?? []
      return Object.fromEntries(found.map(({ key, value }) => [key, String(Object.values(value ?? {})[0])]))
    },
  }
}

async function application(): Promise<Form> {
  const redirectUris = server.application.callback
  return {
    path: '/application-consumers/asks',
    shown: { name: 'Heating Monitor', redirectUris },
    fields: (values) => ({ act: 'save', grantTypes: ['AUTHORIZATION_CODE', 'PASSWORD'], scopes: SCOPES, ...values }),
    async stored() {
      const body = (await findRecord(server.context, EVERYWHERE, 'applicationConsumers', 'asks'))?.body ?? {}
      return { name: String(body['name']), redirectUris: String(body['redirectUris']) }
    },
  }
}

async function user(): Promise<Form> {
  await createRecord(server.context, 'organizations', { name: 'Acme', alias: 'acme' }, [])
  return {
    path: `/users/${ANN.email}`,
    shown: { name: ANN.name, organization: '' },
    fields: (values) => ({ act: 'save', ...values }),
    async stored() {
      const body = (await findRecord(server.context, EVERYWHERE, 'users', ANN.email))?.body ?? {}
      return { name: String(body['name']), organization: organizationOf(body) ?? '' }
    },
  }
}

async function method(): Promise<Form> {
  const issuer = 'https://provider.example.org'
  const { uuid } = await createDelegatedMethod(server.context, {
    status: 'DEACTIVATED',
    name: 'old',
    configuration: { issuer, clientId: 'old' },
  })
  return {
    path: `/auth-methods/${uuid}`,
    shown: { name: 'old', clientId: 'old' },
    fields: (values) => ({ act: 'save', issuer, ...values }),
    async stored() {
      const found = await findMethod(server.context, uuid)
      return {
        name: String(found?.name),
        clientId: found?.kind === 'internal' ? '' : (found?.configuration.clientId ?? ''),
      }
    },
  }
}

it.each<[string, () => Promise<Form>, string]>([
  ['metadata', metadata, 'new'],
  ['a method', method, 'new'],
  ['an application', application, 'https://new.example/'],
  ['a user', user, 'acme'],
])('the forms of %s keep each change, and lose nothing where both have changed the same', async (_, make, value) => {
  const { path, shown, fields, stored } = await make()
  const [one = '', other = ''] = Object.keys(shown)
  const old = shownIn(await operator.get(path))
  const send = (values: Values, of = old) =>
    operator.post(path, { ...fields({ ...shown, ...values }), 'shown-with': of })
  expect(await send({ [one]: 'mine' })).toMatchObject({ status: 303 })
  expect(await send({ [other]: value })).toMatchObject({ status: 303 })
  expect(await stored()).toStrictEqual({ [one]: 'mine', [other]: value })
  const refused = await send({ [one]: 'yours' })
  expect(refused.status).toBe(409)
  for (const text of ['is now “mine”', 'value="yours"', value]) expect(refused.text).toContain(text)
  expect(await stored()).toStrictEqual({ [one]: 'mine', [other]: value })
  expect(await send({ [one]: 'yours', [other]: value }, shownIn(refused))).toMatchObject({ status: 303 })
  expect(await stored()).toStrictEqual({ [one]: 'yours', [other]: value })
})

it('metadata that somebody else has removed is not lost without a word', async () => {
  const { path, fields, shown } = await metadata()
  const old = shownIn(await operator.get(path))
  const send = (values: Values) => operator.post(path, { ...fields({ ...shown, ...values }), 'shown-with': old })
  expect(await send({ serial: '' })).toMatchObject({ status: 303 })
  const refused = await send({ serial: 'written' })
  expect([refused.status, refused.text.includes('is empty now, which somebody else has stored')]).toStrictEqual([
    409,
    true,
  ])
})
