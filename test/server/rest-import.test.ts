import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import validators from '../../generated/validators.cjs'
import type { Plan } from '../../src/plan/plan.ts'
import { findAccountByLogin } from '../../src/platform/access/accounts/accounts.ts'
import { giveToken } from '../support/access.ts'
import { SAMPLED_DATABASES } from '../support/databases.ts'
import { HOSTS, type Answer, type Call } from './test-server.ts'
import { server, useServer } from './one-server.ts'

const PATH = '/rest/v1/import'
const YAML = { 'content-type': 'application/yaml' }

let number = 0
const source = () => ({ code: `source-${(number += 1)}`, name: 'Weather' })

const metadata = (value: string) =>
  `services:\n  - code: climate\n    name: Climate\n    metadataKeyValueStore:\n      - { key: room, value: ${value} }\n`

const sources = () => server.data('{ dataSources { nodes { code name } } }')

const send = (body: string, search = '', call: Call = {}): Promise<Answer> =>
  server.call({ path: `${PATH}${search}`, body, ...call })

const apply = async (document: object, more = '') => {
  const { digest } = (await send(JSON.stringify(document))).json as Plan
  return send(JSON.stringify(document), `?apply=${digest}${more}`)
}

describe.each(SAMPLED_DATABASES)(`POST ${PATH} on $name`, (kind) => {
  useServer({ kind, importDocumentBytes: 100_000 })

  it('answers the plan, and applies it by its digest', async () => {
    const document = JSON.stringify({ dataSources: [source()] })
    const before = await sources()
    const answer = await send(document)
    const plan = answer.json as Plan
    expect(validators.plan(plan)).toBe(true)
    expect(plan).toMatchObject({ outcome: 'changes', summary: { create: 1 } })
    expect(answer.headers['x-plan-digest']).toBe(plan.digest)
    expect(await sources()).toStrictEqual(before)
    const applied = await send(document, `?apply=${plan.digest}`)
    expect(applied).toMatchObject({ status: 200, json: { recorded: true, actor: 'operator', planDigest: plan.digest } })
    expect((await send(document)).json).toMatchObject({ outcome: 'no-changes' })
    const { applies } = await server.data<{ applies: { nodes: unknown[] } }>('{ applies(first: 1) { nodes { uuid } } }')
    expect(applies.nodes).toStrictEqual([{ uuid: (applied.json as { uuid: string }).uuid }])
  })

  it('takes YAML, and answers as text or markdown', async () => {
    const { code } = source()
    const document = `dataSources:\n  - code: ${code}\n    name: Weather service\n`
    const text = await send(document, '', { headers: { ...YAML, accept: 'text/plain' } })
    expect(text.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(text.text).toContain(
      `Apply it: send the document again with ?apply=${String(text.headers['x-plan-digest'])}`,
    )
    const markdown = await send(document, '', { headers: { ...YAML, accept: 'text/markdown' } })
    expect(markdown.text).toContain(code)
    expect((await send(document, '', { headers: { ...YAML, accept: 'text/html' } })).status).toBe(406)
  })

  it('names what the plan would do now where another one was looked at', async () => {
    const [first, second] = [source(), source()]
    const only = { host: HOSTS.second }
    const { digest } = (await send(JSON.stringify({ dataSources: [first] }), '', only)).json as Plan
    const { status, json } = await send(JSON.stringify({ dataSources: [first, second] }), `?apply=${digest}`, only)
    expect({ status, json }).toMatchObject({
      status: 412,
      json: {
        code: 'STALE_PLAN',
        detail: expect.stringMatching(/has changed to sha256:[0-9a-f]{64}/) as string,
        errors: [first, second].map(({ code }) => ({
          type: 'dataSources',
          key: code,
          reason: 'the present plan would create it',
        })),
      },
    })
  })

  it('is stopped by a guard until it is allowed', async () => {
    expect(await apply({ dataSources: [source()] })).toMatchObject({ status: 200 })
    const none = { dataSources: [] }
    expect(await apply(none)).toMatchObject({
      status: 409,
      json: { code: 'BLOCKED', errors: [{ code: 'empties-type', type: 'dataSources' }] },
    })
    expect(await apply(none, '&allow=empties-type:dataSources')).toMatchObject({ status: 200 })
  })

  it('leaves alone what it does not have, whatever was imported before, and says so', async () => {
    await apply({ dataSources: [source()] })
    const before = await sources()
    const services = [{ code: 'climate', name: 'Climate' }]
    expect((await send(JSON.stringify({ services }))).json).toMatchObject({
      outcome: 'changes',
      summary: { delete: 0 },
    })
    expect(await apply({ services }, '&allow=empties-type:services')).toMatchObject({
      status: 200,
      json: { notManaged: ['dataSources'] },
    })
    expect(await sources()).toStrictEqual(before)
  })

  it('is done once for each Idempotency-Key', async () => {
    const document = JSON.stringify({ dataSources: [source()] })
    const { digest } = (await send(document)).json as Plan
    const key = randomUUID()
    const again = () => send(document, `?apply=${digest}`, { headers: { 'idempotency-key': `"${key}"` } })
    const both = await Promise.all([again(), again()])
    expect(both).toMatchObject([{ json: { uuid: key } }, { json: { uuid: key } }])
    expect((await again()).json).toStrictEqual(both[0].json)
    // Whatever the model says by then: the plan of the document is another one.
    expect((await apply({ dataSources: [] }, '&allow=empties-type:dataSources')).status).toBe(200)
    expect((await again()).json).toStrictEqual(both[0].json)
    const changed = await send(`${document} `, `?apply=${digest}`, { headers: { 'idempotency-key': key } })
    expect(changed).toMatchObject({
      status: 409,
      json: { code: 'CONFLICT', detail: expect.stringContaining('used for another document') as string },
    })
    const other = JSON.stringify({ dataSources: [source()] })
    const { digest: otherDigest } = (await send(other)).json as Plan
    const taken = await send(other, `?apply=${otherDigest}`, { headers: { 'idempotency-key': key } })
    expect(taken).toMatchObject({ status: 409, json: { code: 'CONFLICT' } })
  })

  it('gets the first result for its Idempotency-Key also where there was nothing to do then', async () => {
    const [kept, later] = [source(), source()]
    await apply({ dataSources: [kept] })
    const document = JSON.stringify({ dataSources: [kept] })
    const { digest } = (await send(document)).json as Plan
    const headers = { 'idempotency-key': randomUUID() }
    const first = await send(document, `?apply=${digest}`, { headers })
    expect(first).toMatchObject({ status: 200, json: { recorded: false, uuid: headers['idempotency-key'] } })
    await apply({ dataSources: [kept, later] })
    expect((await send(document, `?apply=${digest}`, { headers })).json).toStrictEqual(first.json)
    expect((await send(document, `?apply=${digest}`)).status).toBe(412)
  })

  it('is done once where several apply the same plan at the same moment', async () => {
    const document = JSON.stringify({ dataSources: [source()] })
    const { digest } = (await send(document)).json as Plan
    const answers = await Promise.all([1, 2, 3].map(() => send(document, `?apply=${digest}`)))
    expect(answers.map(({ status }) => status).toSorted()).toStrictEqual([200, 412, 412])
  })

  it('says where in the text the errors are', async () => {
    const document = `# people\nusers:\n  - email: nobody\n  - email: a@b.example\n    organization: { alias: none }\n`
    expect(await send(document, '', { headers: YAML })).toMatchObject({
      status: 422,
      json: {
        errorCount: expect.any(Number) as number,
        errors: expect.arrayContaining([
          expect.objectContaining({ pointer: '/users/0/email', code: 'wrong-format', line: 3, column: 5 }),
        ]) as unknown,
      },
    })
    expect(await send('{"users": [}')).toMatchObject({ status: 400, json: { errors: [{ line: 1, column: 12 }] } })
    expect(await send('{"people": []}')).toMatchObject({ status: 422, json: { errors: [{ code: 'unknown-key' }] } })
  })

  it('says where both of two places are', async () => {
    const document = 'dataSources:\n  - code: a\n  - code: b\n  - code: a\n'
    const twice = { code: 'duplicate-identity', line: 4, column: 5 }
    expect((await send(document, '', { headers: YAML })).json).toMatchObject({
      errors: [{ ...twice, related: [{ pointer: '/dataSources/0', line: 2, column: 5 }] }],
    })
  })

  it('says where the findings of a plan are, warnings and errors alike', async () => {
    const document =
      'machineUsers:\n  - username: robot\n    password: "123"\n  - username: operator\n    password: ${generated}\n'
    const { outcome, diagnostics } = (await send(document, '', { headers: YAML })).json as Plan
    expect(outcome).toBe('blocked')
    expect(diagnostics).toMatchObject([
      { severity: 'warning', code: 'weak-secret', line: 3, column: 5 },
      { severity: 'error', code: 'reserved-key', line: 4, column: 5 },
    ])
    expect(diagnostics.every((found) => !('file' in found))).toBe(true)
  })

  it('says all at once, whatever is wrong at the top of the document', async () => {
    const document = 'dataSources:\n  - {code: a}\n  - {code: a, name: 5, x: 1}\nfoo: []\n'
    const { json } = await send(document, '', { headers: YAML })
    const { errors } = json as { errors: { pointer: string; line: number }[] }
    expect(errors.map(({ pointer, line }) => `${line} ${pointer}`).toSorted()).toStrictEqual([
      '3 /dataSources/1',
      '3 /dataSources/1/name',
      '3 /dataSources/1/x',
      '4 /foo',
    ])
    expect(json).toMatchObject({ errorCount: 4 })
  })

  it('tells a text that cannot be read from one that can, and has a mistake', async () => {
    expect(await send('{"__proto__": {}}')).toMatchObject({
      status: 422,
      json: { errors: [{ code: 'forbidden-key' }] },
    })
    const twice = 'services: []\nservices: []\n'
    expect(await send(twice, '', { headers: YAML })).toMatchObject({ status: 422, json: { errors: [{ line: 2 }] } })
    expect(await send('services: [', '', { headers: YAML })).toMatchObject({
      status: 400,
      json: { code: 'BAD_USER_INPUT' },
    })
  })

  it.each(['', 'null', '# nothing yet\n'])('takes %j for no document, and not for an empty one', async (text) => {
    const form = text.startsWith('#') ? { headers: YAML } : {}
    const answer = await send(text, '', form)
    expect(answer).toMatchObject({ status: 400, json: { errors: [{ code: 'no-document', pointer: '' }] } })
  })

  it('warns where the text is not kept as it is written', async () => {
    const { digest, diagnostics } = (await send(metadata('007'), '', { headers: YAML })).json as Plan
    expect(diagnostics).toStrictEqual([
      {
        severity: 'warning',
        code: 'metadata-rewritten',
        message: expect.stringContaining('kept as the number 7') as string,
        pointer: '',
        line: 5,
        column: 29,
      },
    ])
    expect((await send(metadata('7'), '', { headers: YAML })).json).toMatchObject({ digest, diagnostics: [] })
    const shown = await send(metadata('007'), '', { headers: { ...YAML, accept: 'text/plain' } })
    expect(shown.text).toContain('\n5:29: warning metadata-rewritten')
    expect((await send(metadata('007'), `?apply=${digest}`, { headers: YAML })).status).toBe(200)
  })

  it.each<[string, Call & { search?: string }, number]>([
    ['another media type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['a digest that is none', { search: '?apply=sha256:12' }, 400],
    ['a guard that does not exist', { search: '?allow=everything' }, 400],
    ['a parameter that does not exist', { search: '?force=true' }, 400],
    ['a key without an apply', { headers: { 'idempotency-key': randomUUID() } }, 400],
    ['no token', { authorization: null }, 401],
    ['too large a document', { body: JSON.stringify({ services: 'x'.repeat(100_000) }) }, 413],
  ])('refuses %s', async (_, { search, ...call }, status) => {
    expect((await send('{}', search, call)).status).toBe(status)
  })

  it('plans for whoever may plan, and applies for whoever may apply', async () => {
    const [access] = server.access
    const operator = access && (await findAccountByLogin(access, 'machine', 'operator'))
    if (!access || !operator) throw new Error('there is no operator')
    const authorization = `Bearer ${await giveToken(access, operator, { scope: 'model:plan' })}`
    const planned = await send('{}', '', { authorization })
    expect(planned.status).toBe(200)
    const refused = await send('{}', `?apply=${(planned.json as Plan).digest}`, { authorization })
    expect(refused).toMatchObject({ status: 403, json: { detail: expect.stringContaining('model:apply') as string } })
    const reader = `Bearer ${await giveToken(access, operator, { scope: 'model:read' })}`
    expect((await send('{}', '', { authorization: reader })).status).toBe(403)
  })

  it('is of the domain that the host names', async () => {
    const document = JSON.stringify({ dataSources: [] })
    expect((await send(document, '', { host: HOSTS.second })).json).toMatchObject({ domain: 'second' })
  })

  it('takes ${generated} for a secret, which then is equal ever after', async () => {
    const document = 'machineUsers:\n  - username: jobs\n    password: ${generated}\n'
    const plan = (await send(document, '', { headers: YAML })).json as Plan
    expect(validators.plan(plan)).toBe(true)
    expect(plan).toMatchObject({ changes: [{ key: 'jobs', secret: 'generated' }], diagnostics: [] })
    const allowed = `&allow=widens-access:${plan.access.diff?.digest}`
    expect((await send(document, `?apply=${plan.digest}${allowed}`, { headers: YAML })).status).toBe(200)
    expect((await send(document, '', { headers: YAML })).json).toMatchObject({ outcome: 'no-changes' })
    const shown = await send('machineUsers: [{ username: jobs, password: a-secret-of-the-jobs-0123456789 }]', '', {
      headers: { ...YAML, accept: 'text/plain' },
    })
    expect(shown.text).toContain('password  (secret, no longer generated): everybody who knows the new one can sign in')
  })
})
