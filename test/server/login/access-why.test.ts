import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeJwt, type JWTPayload } from 'jose'
import { explainAccess } from '../../../src/platform/access/explain/explain-access.ts'
import { createRecord } from '../../../src/platform/records/change-record.ts'
import { holdfast } from '../../reconcile/run-command.ts'
import { workspace } from '../../reconcile/workspace.ts'
import { giveToken, makeMachine } from '../../support/access.ts'
import { setGrants } from '../../support/grants.ts'
import { ADA, rightsAt, startCompanyWorld, WAYS, type CompanyWorld } from './company-people.ts'

// What `holdfast access why` says of a token is what the token may do.

const RULES = [
  { name: 'contractors', claims: { groups: ['contractor'] }, scopes: ['openid', 'email', 'data:read'] },
  { name: 'jobs', claims: { groups: ['job'] }, scopes: ['model:plan'], machineUser: 'robot' },
  { name: 'staff', claims: { groups: ['staff', 'night'] }, scopes: ['service'] },
]
const BERT = 'bert@corp.example'

let world: CompanyWorld

beforeAll(async () => {
  world = await startCompanyWorld()
  const { context } = world.servers[0]
  await createRecord(context, 'users', { email: BERT }, [])
  await createRecord(context, 'users', { email: 'gone@corp.example', status: 'DEACTIVATED' }, [])
  await createRecord(context, 'organizations', { name: 'North', alias: 'north' }, [])
  await makeMachine(context, 'robot')
  const { issuer } = world.company
  await setGrants(context, [
    { role: 'administrator', user: ADA.email },
    { role: 'viewer', user: BERT, within: 'north' },
    { role: 'editor', identities: { issuer, clientId: 'holdfast', claims: { groups: ['night'] } } },
  ])
})
afterAll(() => world.close())

const CLAIMS: { readonly [who: string]: JWTPayload } = {
  'an administrator by a narrow rule': { ...ADA, groups: ['contractor'] },
  'an administrator by a wide rule': { ...ADA, groups: ['staff'] },
  'a viewer of one organization': { sub: 'bert', email: BERT, email_verified: true, groups: ['staff'] },
  'a job': { sub: 'job', groups: ['job'] },
  'a new person with a grant by claims': {
    sub: 'new',
    email: 'n@corp.example',
    email_verified: true,
    groups: ['night'],
  },
  'a new person without an address': { sub: 'nobody', groups: ['night'] },
  'somebody whom no rule lets in': { ...ADA, groups: ['guest'] },
  'a user who is DEACTIVATED': { sub: 'gone', email: 'gone@corp.example', email_verified: true, groups: ['staff'] },
  'a user of another domain': { sub: 'x', email: 'ada@other.example', email_verified: true, groups: ['staff'] },
}

describe.each([
  ['with rules and domains', { rules: RULES }],
  ['that is bare', { emailDomains: [] }],
])('a method %s', (_, terms) => {
  beforeAll(async () => {
    await world.trust(terms)
  })

  it.each(Object.entries(CLAIMS))('%s may do what is explained', async (_who, claims) => {
    const token = await world.company.sign(claims)
    const { context } = world.servers[0]
    // First what is explained, before the person is known.
    const { rights, steps } = await explainAccess(context, String(claims['email'] ?? 'robot'), decodeJwt(token))
    const isLetIn = steps.every(({ about, passes }) => passes || about === 'grant')
    expect(isLetIn ? rights.toSorted() : 401).toEqual(
      await rightsAt(world.servers[0], await WAYS['bearer']?.(world, claims)),
    )
    const again = await explainAccess(context, String(claims['email'] ?? 'robot'), decodeJwt(token))
    expect(again.rights).toEqual(rights)
  })
})

const why = async (line: string, files: { readonly [path: string]: string } = {}) => {
  const [{ context, url }] = world.servers
  const token = await giveToken(context, await makeMachine(context, 'operator'))
  return holdfast(`access why ${line} --url ${url}`, { cwd: workspace(files), env: { HOLDFAST_TOKEN: token }, fetch })
}

describe('holdfast access why', () => {
  it('says how an account comes in, and by which grants', async () => {
    await world.trust({ rules: RULES })
    expect(await why(BERT)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('  + grant     bert@corp.example is viewer within north\n') as string,
    })
    expect((await why('robot')).stdout).toContain(
      '  + rule      the rule "jobs" of "Company" (ACTIVATED) lets tokens act for it, with model:plan and without its roles\n',
    )
    expect((await why('stranger@corp.example')).stdout).toBe(
      'stranger@corp.example\n  - account   there is no user and no machine user "stranger@corp.example"\n\nMay: nothing\n',
    )
  })

  it('takes a token or its claims, and says whose they are and which rule decides', async () => {
    const token = await world.company.sign({ ...ADA, groups: ['contractor'] })
    const text = `${BERT}
  + method    the method "Company" trusts the issuer and the audience, and is ACTIVATED
  + rule      the rule "contractors" fits
  + identity  the claims belong to users/ada@corp.example, ACTIVATED, and not of "bert@corp.example"
  + scopes    the rule allows at most openid, email, data:read
  + grant     ada@corp.example is administrator

May: self:read, domain:read, data:read
`
    expect(await why(`${BERT} --claims token.jwt`, { 'token.jwt': `${token}\n` })).toMatchObject({
      code: 0,
      stdout: text,
    })
    const claims = JSON.stringify(decodeJwt(token))
    expect((await why(`${BERT} --claims claims.json`, { 'claims.json': claims })).stdout).toBe(text)
    const json = await why(`${BERT} --claims claims.json --format json`, { 'claims.json': claims })
    expect(JSON.parse(json.stdout)).toMatchObject({ rights: ['self:read', 'domain:read', 'data:read'] })
  })

  it('refuses a file that holds no claims', async () => {
    expect(await why(`${BERT} --claims a.txt`, { 'a.txt': 'hello' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--claims a.txt: give the claims of a token as a JSON object') as string,
    })
  })

  it('is for administrators', async () => {
    const [{ context, url }] = world.servers
    await createRecord(context, 'users', { email: 'editor@corp.example' }, [])
    await createRecord(context, 'access', { role: 'editor', user: 'editor@corp.example' }, [])
    const token = await world.company.sign({
      sub: 'e',
      email: 'editor@corp.example',
      email_verified: true,
      groups: ['staff'],
    })
    const refused = await holdfast(`access why ${BERT} --url ${url}`, {
      cwd: workspace(),
      env: { HOLDFAST_TOKEN: token },
      fetch,
    })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('administrator') as string })
  })
})
