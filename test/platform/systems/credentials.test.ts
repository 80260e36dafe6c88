import { beforeEach, describe, expect, it } from 'vitest'
import { checkPassword } from '../../../src/platform/access/accounts/accounts.ts'
import type { Actor } from '../../../src/platform/access/grants/actor.ts'
import { identifyBearer } from '../../../src/platform/access/sessions/identify-bearer.ts'
import { findComponent, listComponents } from '../../../src/platform/systems/components.ts'
import {
  createSystemCredential,
  listSystemCredentials,
  revokeSystemCredential,
} from '../../../src/platform/systems/credentials.ts'
import { createEvent, endEvent, findEvent, listEvents } from '../../../src/platform/systems/events.ts'
import { reaches } from '../../../src/platform/systems/reach.ts'
import { findSystem, listSystems, updateSystem } from '../../../src/platform/systems/systems.ts'
import { readDomain } from '../../../src/store/domains.ts'
import { systemOfAccount } from '../../../src/store/access/system-credentials.ts'
import { EVERYWHERE } from '../../../src/platform/systems/reach.ts'
import { giveToken } from '../../support/access.ts'
import { SAMPLED_DATABASES } from '../../support/databases.ts'
import { applyAll, plan } from '../../support/domain.ts'
import { dumpTables } from '../../support/table-dump.ts'
import { oneDomain } from '../one-domain.ts'
import { ANYBODY, makeComponent, makeSite, makeSystem, type Site } from './site.ts'

const missing = (what: string) => ({ code: 'NOT_FOUND', message: `there is no ${what}` })

describe.each(SAMPLED_DATABASES)('the credential of a device on $name', (kind) => {
  const domain = oneDomain(kind)
  let site: Site
  beforeEach(async () => {
    site = await makeSite(domain())
  })

  async function signIn(accountUuid: string, scope = 'openid service'): Promise<Actor> {
    const token = await giveToken(domain(), { uuid: accountUuid }, { scope })
    const actor = await identifyBearer(domain(), token)
    if (actor === null) throw new Error('the token is not good')
    return actor
  }

  it('signs in by a password that is shown once and stored nowhere', async () => {
    const { username, password, uuid } = await createSystemCredential(domain(), site.system.uuid)
    expect(await checkPassword(domain(), username, password)).toMatchObject({ uuid, kind: 'machine' })
    expect(JSON.stringify(await dumpTables(domain().database))).not.toContain(password)
    const listed = await listSystemCredentials(domain(), site.system.uuid)
    expect(listed).toMatchObject([{ uuid, username, systemUuid: site.system.uuid }])
    expect(JSON.stringify(listed)).not.toContain(password)
  })

  it('is no part of the model', async () => {
    await createSystemCredential(domain(), site.system.uuid)
    expect((await plan(domain(), { machineUsers: [] })).changes).toEqual([])
  })

  it('is bound to its system, whatever the scopes of its token', async () => {
    const { uuid: accountUuid } = await createSystemCredential(domain(), site.system.uuid)
    const actor = await signIn(accountUuid)
    expect(actor.systemUuid).toBe(site.system.uuid)
    expect([...actor.rights].sort()).toEqual(['data:read', 'datapoints:write', 'domain:read', 'self:read'])
    expect([...(await signIn(accountUuid, 'datapoints:write model:apply')).rights].sort()).toEqual([
      'datapoints:write',
      'domain:read',
      'self:read',
    ])
    expect(reaches(actor, { systemUuid: site.system.uuid, unitUuid: null })).toBe(true)
    expect(reaches(actor, { systemUuid: crypto.randomUUID(), unitUuid: null })).toBe(false)
    const bound = await readDomain(domain().database, domain().domain.id, (sql) =>
      systemOfAccount(sql, domain().domain.id, accountUuid),
    )
    expect(bound).toBe(site.system.uuid)
  })

  it('sees its own system and tells of events there, and nothing anywhere else', async () => {
    const other = await makeSystem(domain(), { name: 'Other' })
    const pump = await makeComponent(domain(), other.uuid)
    const theirs = await createEvent(domain(), ANYBODY, { eventModel: 'alarm', component: pump.uuid })
    const { uuid: accountUuid } = await createSystemCredential(domain(), site.system.uuid)
    const device = await signIn(accountUuid)
    const page = { first: 9, after: null }

    expect((await listSystems(domain(), device, {}, page)).items.map(({ uuid }) => uuid)).toEqual([site.system.uuid])
    expect((await listSystems(domain(), device, { uuids: [other.uuid] }, page)).total).toBe(0)
    expect(await findSystem(domain(), device, other.uuid)).toBeNull()
    expect((await listComponents(domain(), device, {}, page)).total).toBe(2)
    expect((await listComponents(domain(), device, { systems: [other.uuid] }, page)).total).toBe(0)
    expect(await findComponent(domain(), device, pump.uuid)).toBeNull()
    expect((await listEvents(domain(), device, {}, page)).total).toBe(0)
    expect((await listEvents(domain(), device, { systems: [other.uuid] }, page)).total).toBe(0)
    expect(await findEvent(domain(), device, theirs.uuid)).toBeNull()

    for (const uuid of [theirs.uuid, crypto.randomUUID()]) {
      const ending = endEvent(domain(), device, uuid, null)
      await expect(ending).rejects.toMatchObject(missing(`event ${uuid}`))
    }
    for (const component of [pump.uuid, crypto.randomUUID()]) {
      const telling = createEvent(domain(), device, { eventModel: 'alarm', component })
      await expect(telling).rejects.toMatchObject(missing(`component ${component}`))
    }
    const own = await createEvent(domain(), device, { eventModel: 'alarm', component: site.pump.uuid })
    expect(await findEvent(domain(), device, own.uuid)).toStrictEqual(own)
  })

  it('is void at once when it is revoked', async () => {
    const { uuid: accountUuid, username, password } = await createSystemCredential(domain(), site.system.uuid)
    const token = await giveToken(domain(), { uuid: accountUuid })
    expect(await identifyBearer(domain(), token)).not.toBeNull()
    expect(await revokeSystemCredential(domain(), accountUuid)).toMatchObject({ uuid: accountUuid, username })
    expect(await identifyBearer(domain(), token)).toBeNull()
    expect(await checkPassword(domain(), username, password)).toBeNull()
    expect(await listSystemCredentials(domain(), site.system.uuid)).toEqual([])
    await expect(revokeSystemCredential(domain(), accountUuid)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('stays bound when a document takes its name, and is not set free by revoking it', async () => {
    const { uuid: accountUuid, username } = await createSystemCredential(domain(), site.system.uuid)
    await applyAll(domain(), { machineUsers: [{ username, password: 'new-8Kd02mfPq71LxZr5Tn3vWy9B' }] })
    const actor = await signIn(accountUuid)
    expect(actor).toMatchObject({ name: username, systemUuid: site.system.uuid })
    await expect(revokeSystemCredential(domain(), accountUuid)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await signIn(accountUuid)).systemUuid).toBe(site.system.uuid)
  })

  it('is not made for what is not there, or ARCHIVED', async () => {
    await expect(createSystemCredential(domain(), crypto.randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await updateSystem(domain(), EVERYWHERE, site.system.uuid, { status: 'ARCHIVED' })
    await expect(createSystemCredential(domain(), site.system.uuid)).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})
