import { beforeAll, describe, expect, it } from 'vitest'
import { AREAS } from '../../src/console/frame/areas.ts'
import { PAGES } from '../../src/console/pages/pages.ts'
import { createRecord } from '../../src/platform/records/change-record.ts'
import { createComponents } from '../../src/platform/systems/components.ts'
import { createEvent } from '../../src/platform/systems/events.ts'
import { createSystem, updateSystem } from '../../src/platform/systems/systems.ts'
import { EVERYWHERE } from '../../src/platform/systems/reach.ts'
import { applyAll } from '../support/domain.ts'
import { houseModel } from '../support/analyse-house.ts'
import { ANN } from '../support/login-server.ts'
import { NAUGHTY, NAUGHTY_LINE, NAUGHTY_STRINGS, UNSTORABLE_STRINGS } from '../support/naughty-strings.ts'
import { operator, server, useConsole } from '../support/one-console.ts'

// Whatever somebody writes is a text everywhere: in what pages show of it, and in forms that are refused and shown again.

const places: { [name: string]: string } = {}

useConsole()
beforeAll(async () => {
  const { context } = server
  const model = houseModel()
  await applyAll(context, {
    ...model,
    users: [{ email: ANN.email, name: NAUGHTY, organization: { alias: 'amber' } }],
    organizations: [{ name: NAUGHTY, alias: 'amber', organizationUnits: [{ name: NAUGHTY, alias: 'east' }] }],
    eventModels: [{ code: 'alarm', eventType: 'RANGED', entityType: 'SYSTEM', eventLevel: 'ERROR', message: NAUGHTY }],
    metadataTypes: [
      { key: NAUGHTY_LINE.slice(0, 300), entityType: 'SYSTEM', dataType: 'STRING', description: NAUGHTY },
    ],
    dataSources: [{ code: 'weather', name: NAUGHTY, description: NAUGHTY }],
  })
  const metadataKeyValueStore = [{ key: NAUGHTY_LINE.slice(0, 300), value: NAUGHTY }]
  const system = await createSystem(context, EVERYWHERE, { name: 'House', organizationUnit: 'amber/east' })
  await updateSystem(context, EVERYWHERE, system.uuid, { name: NAUGHTY_LINE, metadataKeyValueStore })
  const part = { system: system.uuid, componentModel: 'pump', name: NAUGHTY_LINE, metadataKeyValueStore }
  const [component] = await createComponents(context, EVERYWHERE, [part])
  await createEvent(context, EVERYWHERE, { eventModel: 'alarm', system: system.uuid, message: NAUGHTY })
  await createRecord(
    context,
    'applicationConsumers',
    {
      slug: 'portal',
      secret: 'kH7wQ2zR9vX4mT6b',
      name: NAUGHTY,
      grantTypes: ['AUTHORIZATION_CODE'],
      redirectUris: ['https://a.example/'],
    },
    [],
  )
  Object.assign(places, { system: system.uuid, component: component?.uuid })
})

/** Addresses of the page of something that is there. */
function addressesOf(path: string): readonly string[] {
  const types = ['characteristics', 'organizations', 'dataSources', 'metadataTypes']
  const keys = [
    ['organizations', 'amber'],
    ['dataSources', 'weather'],
  ] as const
  if (path === '/model/:type') return types.map((type) => `/model/${type}`)
  if (path.endsWith('/:type/:key{.+}')) return keys.map(([type, key]) => path.replace(/:type.*/, `${type}/${key}`))
  return [
    path
      .replace('/components/:uuid', `/components/${places['component']}`)
      .replace(':uuid', places['system'] ?? '')
      .replace(':key{.+}', 'amber')
      .replace(':email', ANN.email)
      .replace(':slug', 'portal')
      .replace(':id', crypto.randomUUID()),
  ]
}

/** What must stand nowhere as it is: it would be markup. */
const MARKUP = NAUGHTY_STRINGS.filter((text) => /[<>"']/.test(text) && /<|"|onmouse/.test(text))

function expectText(where: string, text: string): void {
  for (const markup of MARKUP) expect([where, text.includes(markup)]).toStrictEqual([where, false])
  expect([where, /<(?:img src=x|svg\/onload)|onmouseover='/i.exec(text)?.index ?? null]).toStrictEqual([where, null])
}

/** Wraps in a block of its own, is scrolled, or is chosen to be seen. */
const WHOLE = /<(dd|pre|textarea|script|style|details)\b[\s\S]*?<\/\1>/g

/** Browsers take seconds to break such a line where there is little room. */
function expectNoLongLine(where: string, text: string): void {
  const longest = text.replaceAll(WHOLE, '').match(/<[^<>]*>[^<>]*W{1000}[^<]*/g) ?? []
  expect([where, longest.map((line) => line.slice(0, 200))]).toStrictEqual([where, []])
}

describe('naughty strings', () => {
  it('are text on every page', async () => {
    let shown = 0
    for (const path of PAGES.flatMap((page) => addressesOf(page.path))) {
      const { status, text } = await operator.get(path)
      expect([path, status < 500]).toStrictEqual([path, true])
      expectText(path, text)
      expectNoLongLine(path, text)
      if (text.includes('&lt;script&gt;alert(&#39;naughty&#39;)&lt;/script&gt;')) shown += 1
    }
    expect(shown).toBeGreaterThan(15)
  })

  it('are text in every address', async () => {
    for (const naughty of NAUGHTY_STRINGS) {
      const query = new URLSearchParams({ q: naughty, search: naughty, after: naughty, before: naughty, from: naughty })
      for (const path of ['/search', '/systems', '/model/characteristics', '/users', '/applies']) {
        const { status, text } = await operator.get(`${path}?${query.toString()}`)
        expect([path, status < 500]).toStrictEqual([path, true])
        expectText(`${path} ${naughty.slice(0, 40)}`, text)
      }
      const { status } = await operator.get(`/model/characteristics/flow?before=${encodeURIComponent(naughty)}`)
      expect(status).toBe(400)
    }
  })

  it('are refused as a part of an address, a field of a query or of a form where nothing can store them', async () => {
    for (const { path, receive } of PAGES) {
      const cut = path.replace(/:\w+(?:\{.+\})?/, '%00').replace(/:(\w+)(?:\{.+\})?/g, '$1')
      const isRefused = (await operator.get(cut)).status === 404
      expect([cut, isRefused]).toStrictEqual([cut, cut !== path])
      const [address = path] = addressesOf(path)
      for (const text of UNSTORABLE_STRINGS) {
        const query = new URLSearchParams({ q: text, search: text, after: text })
        const { status } = await operator.get(`${address}?${query.toString()}`)
        expect([address, status]).toStrictEqual([address, 400])
      }
      if (receive === undefined) continue
      const sent = await operator.post(address, { name: 'a\0b', email: 'a\0b' })
      expect([address, sent.status]).toStrictEqual([address, 400])
    }
    expect((await operator.get('/users/%00/metadata')).status).toBe(404)
  })

  it('are refused in forms with files, in their texts, their names and their content', async () => {
    for (const text of UNSTORABLE_STRINGS) {
      const pasted = await upload(text, '', null)
      expect(pasted).toMatchObject({ status: 400, text: expect.stringContaining('a character that cannot be stored') })
      expect((await upload('', `${text}.json`, '{}')).status).toBe(400)
      const yaml = await upload('', 'a.yaml', `dataSources: [{ code: a, name: "${text}" }]`)
      const json = await upload('', 'a.json', JSON.stringify({ dataSources: [{ code: 'a', name: text }] }))
      for (const { status, text: page } of [yaml, json])
        expect([status, page.includes('class="findings"')]).toStrictEqual([422, true])
    }
  })

  it('are text in every field of every form that is sent, whether it is refused or not', async () => {
    let sent = 0
    for (const { path, receive } of PAGES) {
      if (receive === undefined) continue
      for (const address of addressesOf(path)) {
        const { text } = await operator.get(address)
        for (const fields of formsIn(text)) {
          const filled = Object.fromEntries(fields.map(({ name, value }) => [name, value ?? NAUGHTY]))
          const answer = await operator.post(address, filled)
          expect([address, answer.status < 500]).toStrictEqual([address, true])
          expectText(address, answer.text)
          sent += 1
        }
      }
    }
    expect(sent).toBeGreaterThan(12)
  })
})

describe('an address of what is not there', () => {
  const named = PAGES.filter(({ path }) => path.includes(':'))
  const addresses = named.flatMap(({ path, area }) =>
    [NOBODY, NOBODY.toUpperCase(), 'none', "'%20or%201=1"].map((name) => {
      const type = path.includes('/:key') && path.includes(':type') ? 'organizations' : name
      return [path.replace(':type', type).replaceAll(/:\w+(?:\{.+\})?/g, name), AREAS[area].href] as const
    }),
  )

  it.each(addresses)('%s has a page that says so, with a way on', async (address, wayOn) => {
    const { status, text } = await operator.get(address)
    expect(status).toBe(404)
    expect(text).toMatch(/<h1[^>]*>There is nothing here</)
    expect(text).not.toMatch(/must be a UUID|\buuid\b/i)
    expect(text).toContain(`class="button main" href="${wayOn}"`)
  })

  it('and a list that is to go on after a row that it has not, have words for people', async () => {
    const { status, text } = await operator.get('/systems?after=none')
    expect([status, text.includes('the address names the row')]).toStrictEqual([400, false])
    expect(text).toContain('The address names the row “after”, which the list does not have; open the list again.')
  })
})

const NOBODY = '0198f3a2-0000-4000-8000-00000000dead'

function upload(document: string, name: string, content: string | null) {
  const form = new FormData()
  form.set('document', document)
  if (content !== null) form.set('file', new File([content], name))
  return operator.upload('/plans/new', form)
}

/** The fields of forms that have a text to be filled in; those with a value keep it. */
function formsIn(text: string): readonly (readonly { name: string; value: string | null }[])[] {
  return [...text.matchAll(/<form[^>]*method="post"[^>]*>([\s\S]*?)<\/form>/g)].flatMap(([, body = '']) => {
    const fields = [...body.matchAll(/<(input|textarea|select)\b([^>]*)>/g)].flatMap(([, tag, attributes = '']) => {
      const [, name] = /\bname="([^"]*)"/.exec(attributes) ?? []
      if (name === undefined || name === 'csrf') return []
      const [, type = 'text'] = /\btype="([^"]*)"/.exec(attributes) ?? []
      const isKept = type === 'hidden' || type === 'checkbox' || type === 'radio' || tag === 'select'
      const [, value = ''] = /\bvalue="([^"]*)"/.exec(attributes) ?? []
      return [{ name, value: isKept ? value : null }]
    })
    return fields.some(({ value }) => value === null) ? [fields] : []
  })
}
