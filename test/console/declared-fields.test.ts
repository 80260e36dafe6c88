import { beforeAll, expect, it } from 'vitest'
import { createDelegatedMethod } from '../../src/platform/access/methods/methods.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { findRecord } from '../../src/platform/records/read-records.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createSystem, findSystem } from '../../src/platform/systems/systems.ts'
import { entityFields, givenFields } from '../../src/records/entity.ts'
import { AUTHENTICATION_METHOD, COMPONENT, EVENT, SYSTEM } from '../../src/records/entities.ts'
import { recordType } from '../../src/records/registry.ts'
import { fieldsOf, givenAmong } from '../../src/records/shape.ts'
import { houseModel } from '../support/analyse-house.ts'
import { consoleVisitor } from '../support/console-visitor.ts'
import { applyAll } from '../support/domain.ts'
import { setGrants } from '../support/grants.ts'
import { ANN, BOB } from '../support/login-server.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// A field that is declared appears on its page by itself. Exceptions are written down here by hand.

const uuids = { system: '', component: '', method: '' }

const ALARM = { code: 'alarm', message: 'Alarm', eventType: 'RANGED', entityType: 'SYSTEM', eventLevel: 'ERROR' }

useConsole()
beforeAll(async () => {
  const { context } = server
  await applyAll(context, { ...houseModel(), eventModels: [ALARM] })
  const { uuid: system } = await createSystem(context, EVERYWHERE, { name: 'House' })
  const [component] = await createComponents(context, EVERYWHERE, [{ system, componentModel: 'pump', name: 'Pump' }])
  const configuration = { issuer: 'https://provider.example.org', clientId: 'holdfast' }
  const method = await createDelegatedMethod(context, { status: 'DEACTIVATED', configuration })
  Object.assign(uuids, { system, component: component?.uuid, method: method.uuid })
})

const CONSUMER = fieldsOf(recordType('applicationConsumers').definition)
const USER = fieldsOf(recordType('users').definition)
const CONFIGURATION = fieldsOf('OpenIdDelegatedConfiguration')
const METADATA = 'metadataKeyValueStore'
/** Buttons change the status, and the platform makes the uuid. */
const OF_FORMS = ['status', 'uuid', METADATA]

interface Named {
  readonly name: string
  readonly givenAs?: string
}

it.each<[string, () => string, readonly Named[], readonly string[]]>([
  ['a new application', () => '/application-consumers/new', CONSUMER, ['secret']],
  ['an application', () => '/application-consumers/trusted', CONSUMER, ['secret', 'slug']],
  ['a new user', () => '/users/new', USER, []],
  ['a user', () => `/users/${ANN.email}`, USER, ['email']],
  [
    'a role that is given',
    () => `/users/${ANN.email}`,
    fieldsOf('Grant'),
    ['everyone', 'identities', 'machineUser', 'user'],
  ],
  ['a new method', () => '/auth-methods/new', givenAmong(CONFIGURATION, 'create'), []],
  ['a method', () => `/auth-methods/${uuids.method}`, givenAmong(CONFIGURATION, 'patch'), []],
  ['a new system', () => '/systems/new', givenFields(SYSTEM, 'create'), []],
  ['a system', () => `/systems/${uuids.system}`, givenFields(SYSTEM, 'patch'), []],
  ['a new event', () => `/systems/${uuids.system}/events`, givenFields(EVENT, 'create'), ['system']],
  ['a new component', () => `/systems/${uuids.system}`, givenFields(COMPONENT, 'create'), ['system']],
])('the form of %s has each field that can be given', async (_, path, fields, elsewhere) => {
  const { text } = await operator.get(path())
  const missing = fields.map(({ name, givenAs = name }) => givenAs).filter((name) => !text.includes(` name="${name}"`))
  const expected = [...OF_FORMS.filter((name) => fields.some((field) => field.name === name)), ...elsewhere]
  expect(missing.toSorted()).toStrictEqual(
    expected.filter((name) => missing.includes(name) || !OF_FORMS.includes(name)).toSorted(),
  )
})

it.each<[string, () => string, readonly Named[], readonly string[]]>([
  ['an application', () => '/model/applicationConsumers/trusted', CONSUMER, ['secret']],
  ['a user', () => `/model/users/${ANN.email}`, USER, [METADATA]],
  ['a system', () => `/systems/${uuids.system}`, entityFields(SYSTEM), [METADATA]],
  ['a component', () => `/components/${uuids.component}/metadata`, entityFields(COMPONENT), [METADATA]],
])('the page of %s shows each field', async (_, path, fields, elsewhere) => {
  const { text } = await operator.get(path())
  const missing = fields.filter(({ name }) => !text.includes(`>${name}</code>`)).map(({ name }) => name)
  expect(missing.toSorted()).toStrictEqual(elsewhere)
})

it('the page of a method shows each field, in its form or beside it', async () => {
  const { text } = await operator.get(`/auth-methods/${uuids.method}`)
  const shown = ({ name }: Named) => text.includes(` name="${name}"`) || text.includes(`>${name}</code>`)
  const missing = [...entityFields(AUTHENTICATION_METHOD), ...CONFIGURATION].filter((field) => !shown(field))
  // At the head of the page, in its notice, its redirect URI, its form and its table.
  const elsewhere = ['advice', 'callbackPath', 'configuration', 'effectiveRules', 'status', 'uuid']
  expect(missing.map(({ name }) => name).toSorted()).toStrictEqual(elsewhere)
})

it('who may not change an application sees all of its fields', async () => {
  await setGrants(server.context, [{ role: 'viewer', user: BOB.email }])
  const { text } = await (await consoleVisitor(server, BOB)).get('/application-consumers/trusted')
  for (const { name } of CONSUMER.filter((field) => field.name !== 'secret')) expect(text).toContain(`>${name}</code>`)
  expect(text).not.toContain('name="redirectUris"')
})

it('a form changes the fields whose text differs, and no others', async () => {
  const { context } = server
  await createRecord(context, 'organizations', { name: 'Acme', alias: 'acme' }, [])
  const path = `/systems/${uuids.system}`
  const named = { act: 'save', name: 'House', organizationUnit: 'acme' }
  expect((await operator.post(path, { ...named, isPrototype: 'true' })).status).toBe(303)
  expect(await findSystem(context, EVERYWHERE, uuids.system)).toMatchObject({
    organizationUnit: 'acme',
    isPrototype: true,
  })
  expect((await operator.post(path, { ...named, organizationUnit: '' })).status).toBe(303)
  expect(await findSystem(context, EVERYWHERE, uuids.system)).toMatchObject({
    organizationUnit: null,
    isPrototype: false,
  })
  const application = '/application-consumers/trusted'
  const before = (await findRecord(context, EVERYWHERE, 'applicationConsumers', 'trusted'))?.body
  const defaultRedirectUri = 'https://portal.example.org/callback'
  const shown = /name="shown-with" value="([^"]*)"/.exec((await operator.get(application)).text)?.[1] ?? ''
  const digests: object = JSON.parse(shown.replaceAll('&quot;', '"'))
  // The form was open since a release that knew of no other field.
  const [known] = Object.entries(digests).filter(([name]) => name === 'defaultRedirectUri')
  const old = JSON.stringify(Object.fromEntries([known!]))
  expect((await operator.post(application, { act: 'save', defaultRedirectUri, 'shown-with': old })).status).toBe(303)
  const after = (await findRecord(context, EVERYWHERE, 'applicationConsumers', 'trusted'))?.body
  expect(after).toStrictEqual({ ...before, defaultRedirectUri })
})

const GITHUB = JSON.stringify({ repositoryId: 1 })

it.each([
  [
    '/application-consumers/new',
    { slug: 'x', name: 'X', grantTypes: 'NONE' },
    'grantTypes',
    'must be one of AUTHORIZATION_CODE',
  ],
  [
    '/auth-methods/new',
    { issuer: 'https://a.example', clientId: 'x', githubActions: GITHUB },
    'githubActions',
    'of required type',
  ],
  ['/auth-methods/new', { issuer: 'https://a.example', clientId: 'x', rules: '[7]' }, 'rules', 'is not valid at 0'],
])('the form at %s says at its field what GraphQL would refuse', async (path, fields, field, words) => {
  const { status, text } = await operator.post(path, fields)
  expect(status).toBe(422)
  const [, problem = ''] = new RegExp(`id="${field}-problem">([^]*?)</p>`).exec(text) ?? []
  expect(problem).toContain(words)
})
