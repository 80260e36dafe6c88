import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { listMethods } from '../../src/platform/access/methods/methods.ts'
import { createSystemCredential, listSystemCredentials } from '../../src/platform/systems/credentials.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { createSystem, findSystem } from '../../src/platform/systems/systems.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { houseModel } from '../support/analyse-house.ts'
import { applyAll } from '../support/domain.ts'
import { ANN } from '../support/login-server.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// What the console asks before it is done, and what it shows once it is.

let system = ''

const systemPath = () => `/systems/${system}`
const OPEN = { code: 'open', message: 'Open', eventType: 'RANGED', entityType: 'COMPONENT', eventLevel: 'INFO' }

useConsole()
beforeAll(async () => {
  const users = [{ email: ANN.email, name: ANN.name }]
  await applyAll(server.context, { ...houseModel(), users, eventModels: [OPEN] })
  ;({ uuid: system } = await createSystem(server.context, EVERYWHERE, { name: 'Zinnia house' }))
})

describe('what ends something that works', () => {
  it('asks first what it costs: a system is archived, and its page says so from then on', async () => {
    const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'To be archived' })
    await createComponents(server.context, EVERYWHERE, [{ system: uuid, componentModel: 'pump', name: 'Pump' }])
    const asked = await operator.post(`/systems/${uuid}`, { act: 'ask-archive' })
    expect(asked.text.replaceAll(/\s+/g, ' ')).toMatch(
      /Archive To be archived\?.*rejects every datapoint<\/strong> of its 1 component\. All stored data stays/,
    )
    expect((await findSystem(server.context, EVERYWHERE, uuid))?.status).toBe('ACTIVATED')
    expect((await operator.post(`/systems/${uuid}`, { act: 'archive' })).status).toBe(303)
    expect((await operator.get(`/systems/${uuid}`)).text).toMatch(
      /This system is archived[\s\S]*rejects its datapoints/,
    )
    // In lists it is marked as not active, which is no failure.
    for (const address of ['/systems', '/search?q=To+be+archived']) {
      const [, row = ''] = /<tr([^]*?)<\/tr>/.exec((await operator.get(address)).text.split('<tbody>')[1] ?? '') ?? []
      expect(row).toContain('To be archived')
      expect(row).toContain('<span class="sign inactive">')
      expect(row).toContain('<span class="spoken">not active</span>')
    }
  })

  it('deletes an archived system after it shows the cost, and shows who did it', async () => {
    const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'To be deleted' })
    await createComponents(server.context, EVERYWHERE, [{ system: uuid, componentModel: 'pump', name: 'Old pump' }])
    const early = await operator.post(`/systems/${uuid}`, { act: 'ask-delete' })
    expect([early.status, early.text.includes('set its status to ARCHIVED')]).toStrictEqual([409, true])
    await operator.post(`/systems/${uuid}`, { act: 'archive' })
    expect((await operator.get(`/systems/${uuid}`)).text).toContain('value="ask-delete"')
    const { text } = await operator.post(`/systems/${uuid}`, { act: 'ask-delete' })
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /Delete To be deleted\?.*This deletes <strong>1 system, 1 component<\/strong> for ever/,
    )
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
    expect(await findSystem(server.context, EVERYWHERE, uuid)).not.toBeNull()
    const deleted = await operator.post(`/systems/${uuid}`, { act: 'delete', token })
    expect([deleted.status, deleted.location]).toStrictEqual([303, '/systems'])
    expect(await findSystem(server.context, EVERYWHERE, uuid)).toBeNull()
    expect((await operator.get('/deletions')).text).toMatch(/system To be deleted[\s\S]*operator/)
  })

  it('asks before it archives and deletes a component', async () => {
    const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'Of one component' })
    const [one] = await createComponents(server.context, EVERYWHERE, [
      { system: uuid, componentModel: 'pump', name: 'Old pump' },
    ])
    const component = one?.uuid ?? ''
    const address = `/systems/${uuid}`
    const asked = await operator.post(address, { act: 'ask-archive-component', component })
    expect(asked.text).toMatch(/Archive Old pump\?[\s\S]*rejects every datapoint<\/strong> of this component/)
    expect((await operator.post(address, { act: 'archive-component', component })).status).toBe(303)
    const { text } = await operator.post(address, { act: 'ask-delete-component', component })
    expect(text).toContain('This deletes <strong>1 component</strong> for ever')
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
    expect((await operator.post(address, { act: 'delete-component', component, token })).status).toBe(303)
    expect((await operator.get(address)).text).toContain('This system has no components yet')
  })

  it('asks before it deletes an event, and datapoints of some time', async () => {
    const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'Of one event' })
    const [one] = await createComponents(server.context, EVERYWHERE, [
      { system: uuid, componentModel: 'pump', name: 'Pump' },
    ])
    const { uuid: event } = await createEvent(server.context, EVERYWHERE, {
      eventModel: 'open',
      component: one?.uuid ?? '',
    })
    const address = `/systems/${uuid}/events`
    const { text } = await operator.post(address, { act: 'ask-delete', event })
    expect(text).toMatch(/Delete Open\?[\s\S]*This deletes <strong>1 event<\/strong> for ever/)
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(text) ?? []
    expect((await operator.post(address, { act: 'delete', event, token })).status).toBe(303)
    expect((await operator.get(address)).text).toContain('This system has no events yet')
    const range = { of: '', characteristic: 'flow', from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }
    const asked = await operator.post(`/systems/${uuid}`, { act: 'ask-delete-datapoints', ...range })
    expect(asked.text).toContain('<strong>Nothing is stored</strong> that this deletes')
    expect(asked.text).toContain(`Delete the datapoints of flow of Of one event from ${range.from} before ${range.to}?`)
    expect(asked.text).toContain('name="from" value="2026-01-01T00:00:00Z"')
    const wrong = await operator.post(`/systems/${uuid}`, { act: 'ask-delete-datapoints', ...range, to: 'soon' })
    expect([wrong.status, wrong.text.includes('value="soon"')]).toStrictEqual([422, true])
  })

  it.each([
    ['an application', () => '/application-consumers/trusted', 'Then nobody can sign in'],
    ['a user', () => `/users/${ANN.email}`, `Deactivate ${ANN.email}?`],
    ['a way to sign in', async () => `/auth-methods/${(await internalMethod()).uuid}`, 'Nobody can sign in'],
  ])('asks before it deactivates %s', async (_, addressOf, words) => {
    const address = await addressOf()
    expect((await operator.get(address)).text).toContain('value="ask-deactivate"')
    const { status, text } = await operator.post(address, { act: 'ask-deactivate' })
    expect([status, text.includes(words), text.includes('value="deactivate"')]).toStrictEqual([200, true, true])
    expect((await operator.get(address)).text).toContain('value="ask-deactivate"')
  })
})

describe('what takes access from somebody', () => {
  it('asks which credential is revoked', async () => {
    const { uuid } = await createSystem(server.context, EVERYWHERE, { name: 'With a device' })
    const address = `/systems/${uuid}/credentials`
    const account = (await createSystemCredential(server.context, uuid)).uuid
    expect((await operator.get(address)).text).toContain('value="ask-revoke"')
    const asked = await operator.post(address, { act: 'ask-revoke', account })
    expect(asked.text).toMatch(/its datapoints are\s+rejected<\/strong> until it gets another/)
    expect(asked.text).toContain(`name="account" value="${account}"`)
    expect(await listSystemCredentials(server.context, uuid)).toHaveLength(1)
    expect((await operator.post(address, { act: 'revoke', account })).status).toBe(303)
    const again = await operator.post(address, { act: 'ask-revoke', account })
    expect([again.status, again.text.includes('This credential was revoked already')]).toStrictEqual([422, true])
  })

  it('asks whose sessions end', async () => {
    const address = `/users/${ANN.email}`
    const asked = await operator.post(address, { act: 'ask-end-sessions' })
    expect(asked.text).toContain(`End all sessions of ${ANN.email}?`)
    expect(asked.text).toContain('name="act" value="end-sessions"')
    expect((await operator.post(address, { act: 'end-sessions' })).status).toBe(303)
  })

  it('asks which role is taken back', async () => {
    const address = `/users/${ANN.email}`
    await operator.post(address, { act: 'grant', role: 'operator', within: '' })
    const key = `operator/user/${ANN.email}`
    expect((await operator.get(address)).text).toContain('value="ask-take-grant"')
    const asked = await operator.post(address, { act: 'ask-take-grant', key })
    expect(asked.text).toContain(`Revoke the role operator of ${ANN.email}?`)
    expect(asked.text).toContain(`name="key" value="${key}"`)
    expect((await operator.get(address)).text).toContain(key)
    expect((await operator.post(address, { act: 'take-grant', key })).status).toBe(303)
    const again = await operator.post(address, { act: 'ask-take-grant', key })
    expect(again.text).toContain('This role was already revoked')
  })
})

const CHARACTERS: { readonly [escaped: string]: string } = { '&quot;': '"', '&#39;': "'", '&lt;': '<', '&amp;': '&' }

/** What a browser shows of escaped text. */
function shownText(escaped: string): string {
  return escaped.replaceAll(/&[#\w]+;/g, (one) => CHARACTERS[one] ?? one)
}

async function internalMethod() {
  const [method] = await listMethods(server.context)
  if (method === undefined) throw new Error('there is no method')
  return method
}

it('the YAML beside a new secret is a valid model', async () => {
  const { text } = await operator.follow('/application-consumers/new', {
    slug: 'yaml-app',
    name: 'Portal: "new" # 1',
    grantTypes: ['AUTHORIZATION_CODE', 'REFRESH_TOKEN'],
    redirectUris: 'https://portal.example.org/callback',
    scopes: ['openid', 'data:read'],
  })
  const [, yaml = ''] = /<pre class="code" tabindex="0" id="yaml">([^<]*)</.exec(text) ?? []
  const cwd = mkdtempSync(join(tmpdir(), 'holdfast-yaml-'))
  await mkdir(join(cwd, 'models'))
  await writeFile(join(cwd, 'models/portal.yaml'), shownText(yaml))
  expect(
    await holdfast('validate', {
      cwd,
      env: { APPLICATION_CONSUMER_YAML_APP_SECRET: 'a-secret-of-the-environment-0123' },
    }),
  ).toMatchObject({ code: 0, stdout: 'The models are valid.\n' })
  rmSync(cwd, { recursive: true })
})

it('what is wrong with a form stands at its field, too', async () => {
  const { status, text } = await operator.post('/application-consumers/new', {
    slug: 'wrong-app',
    name: 'Wrong',
    grantTypes: 'AUTHORIZATION_CODE',
    redirectUris: 'nonsense',
    scopes: 'openid',
  })
  expect(status).toBe(422)
  expect(text).toMatch(
    /aria-describedby="redirectUris-hint redirectUris-problem"[^>]*aria-invalid="true"[^>]*>nonsense</,
  )
  expect(text).toMatch(/id="redirectUris-problem">[\s\S]*nonsense/)
})

const METHOD = { issuer: 'https://provider.example.org', clientId: 'holdfast', act: 'create' }

it.each<[string, () => string, { readonly [field: string]: string }, string]>([
  ['a new way to sign in', () => '/auth-methods/new', { ...METHOD, issuer: 'nonsense' }, 'issuer'],
  ['the rules of one', () => '/auth-methods/new', { ...METHOD, rules: '{' }, 'rules'],
  ['the domains of one', () => '/auth-methods/new', { ...METHOD, emailDomains: '*.example.org' }, 'emailDomains'],
  ['a new system', () => '/systems/new', { name: ' ' }, 'name'],
  ['the unit of a system', () => '/systems/new', { name: 'X', organizationUnit: 'none' }, 'organizationUnit'],
  ['a new component', () => systemPath(), { act: 'add', name: ' ', componentModel: 'pump' }, 'name'],
  ['the model of a component', () => systemPath(), { act: 'add', name: 'X', componentModel: 'none' }, 'componentModel'],
  ['the model of an event', () => `${systemPath()}/events`, { act: 'add', eventModel: 'none' }, 'eventModel'],
  ['an event without a model', () => `${systemPath()}/events`, { act: 'add' }, 'eventModel'],
  ['what an event happened to', () => `${systemPath()}/events`, { act: 'add', eventModel: 'open' }, 'component'],
])('what is wrong with %s stands at its field', async (_, address, fields, field) => {
  const { status, text } = await operator.post(address(), fields)
  expect(status).toBe(422)
  expect(text).toMatch(new RegExp(`aria-describedby="[\\w -]*${field}-problem"[^>]*aria-invalid="true"`))
  expect(text).toContain(`id="${field}-problem"`)
})
