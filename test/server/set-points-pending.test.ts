import { decode } from '@msgpack/msgpack'
import { beforeAll, describe, expect, it } from 'vitest'
import { revokeSystemCredential } from '../../src/platform/systems/credentials.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { SAMPLED_DATABASES, ANY_DATABASE } from '../support/databases.ts'
import type { SettingSite } from '../support/setting-site.ts'
import { add, allSetpoints, statesOf } from '../platform/setpoints/support.ts'
import { PENDING, settingServer, valuesOf, type SettingServer } from './setting-server.ts'
import { expectHeadersOfEveryAnswer, TOKEN, type Answer, type Call, type TestServer } from './test-server.ts'

describe.each(SAMPLED_DATABASES)(`GET ${PENDING} on $name`, (kind) => {
  const served = settingServer(kind)
  let server: TestServer
  let context: DomainContext
  let site: SettingSite
  let device: SettingServer['device']
  let pending: SettingServer['pending']
  beforeAll(() => {
    ;({ server, context, site, device, pending } = served())
  })

  it('gives a device what it has not acknowledged, in the words of datapoints', async () => {
    const element = site.element('target', 21)
    await add(context, element)
    const answer = await pending()
    const [stored] = await allSetpoints(context)
    expect(stored?.state).toBe('SENT')
    expect(answer.json).toStrictEqual([
      { ...element, uuid: stored?.uuid, created_at: stored?.createdAt.toISOString(), expires_at: null },
    ])
    expectHeadersOfEveryAnswer(answer)
    expect(valuesOf(await pending())).toEqual([21])
  })

  it('has sent nothing to who only asks for the headers', async () => {
    await add(context, site.element('target', 21))
    const headers = { authorization: device.authorization }
    const response = await fetch(`${server.url}${PENDING}`, { method: 'HEAD', headers })
    expect(response.status).toBe(200)
    expect((await allSetpoints(context))[0]?.state).toBe('PENDING')
  })

  it('answers in MessagePack where that is accepted', async () => {
    await add(context, site.element('schedule', { days: [1, 2.5, 'ü'] }))
    const accept = 'application/vnd.msgpack'
    const response = await fetch(`${server.url}${PENDING}`, {
      headers: { accept, authorization: device.authorization },
    })
    expect(response.headers.get('content-type')).toBe(accept)
    expect(decode(await response.arrayBuffer())).toMatchObject([{ value: { days: [1, 2.5, 'ü'] }, expires_at: null }])
    expect((await pending('', { headers: { accept: 'text/html' } })).status).toBe(406)
  })

  it('of components, for a gateway also in several systems', async () => {
    const [kitchen, hall, far] = site.thermostats
    await add(context, site.element('target', 20), site.element('target', 21, { component: hall }))
    await add(context, site.element('target', 22, { component: far, system: site.systems[1] }))
    const authorization = `Bearer ${TOKEN}`
    const answer = await pending(`?component_uuid=${hall}&component_uuid=${far}`, { authorization })
    expect(valuesOf(answer).sort()).toEqual([21, 22])
    expect(valuesOf(await pending(`?component_uuid=${kitchen}`))).toEqual([20])
    expect((await pending(`?component_uuid=${far}`)).status).toBe(404)
    expect(await pending('', { authorization })).toMatchObject({ status: 400, json: { code: 'BAD_USER_INPUT' } })
    const reader = await served().makeDevice(site.systems[1])
    expect(valuesOf(await pending('', { authorization: reader.authorization }))).toEqual([22])
  })

  it.each(['?component_uuid=x', '?wait=61', '?wait=-1', '?wait=soon', '?wait=1&wait=2', '?waits=1'])(
    'refuses %s',
    async (query) => {
      expect((await pending(query)).status).toBe(400)
    },
  )

  it('waits until there is something', async () => {
    const answer = pending('?wait=60')
    await served().set(21)
    expect(valuesOf(await answer)).toEqual([21])
  })

  it('waits as long as it is asked to, and says so', async () => {
    expect((await pending('?wait=1')).json).toEqual([])
    const preferred = await pending('', { headers: { prefer: 'handling=lenient, wait=1' } })
    expect(preferred.json).toEqual([])
    expect(preferred.headers['preference-applied']).toBe('wait=1')
  })

  it('hears of what another process has set', async () => {
    const answer = pending('?wait=60')
    // Without the signal of this process.
    await add(context, site.element('target', 20))
    expect(valuesOf(await answer)).toEqual([20])
  })

  /** Waits, once there is room for it. */
  const waitForLong = async (call: Call = {}): Promise<Answer> => {
    const answer = await pending('?wait=60', call)
    return answer.status === 503 ? waitForLong(call) : answer
  }

  /** Two wait, which is all that may: another one is refused. */
  const untilTwoWait = async (): Promise<Answer> => {
    const answer = await pending('?wait=1')
    return answer.status === 503 ? answer : untilTwoWait()
  }

  it('refuses more who wait than there may be', async () => {
    const waiting = [waitForLong(), waitForLong()]
    const refused = await untilTwoWait()
    expect(refused.json).toMatchObject({
      code: 'UNAVAILABLE',
      detail: expect.stringContaining('(waitingPolls)') as unknown,
    })
    expect(refused.headers['retry-after']).toBe('5')
    expect((await pending()).status).toBe(200)
    await served().set(21)
    for (const answer of waiting) expect(valuesOf(await answer)).toEqual([21])
  })

  it('a device that leaves is given nothing, and makes room', async () => {
    const leaving = new AbortController()
    const { authorization } = device
    const waitAndLeave = async (): Promise<void> => {
      const options = { headers: { authorization }, signal: leaving.signal }
      const answer = await fetch(`${server.url}${PENDING}?wait=60`, options).catch(() => null)
      if (answer?.status === 503) await waitAndLeave()
    }
    const gone = [waitAndLeave(), waitAndLeave()]
    await untilTwoWait()
    leaving.abort()
    await Promise.all(gone)
    while ((await pending('?wait=1')).status === 503);
    await add(context, site.element('target', 20))
    expect(await statesOf(context)).toEqual(['target 20 PENDING'])
  })

  it('one whose account is revoked while it waits is refused', async () => {
    const revoked = await served().makeDevice(site.systems[0])
    const { authorization } = revoked
    const waiting = [waitForLong({ authorization }), waitForLong({ authorization })]
    await untilTwoWait()
    await revokeSystemCredential(context, revoked.accountUuid)
    await add(context, site.element('target', 20))
    for (const answer of waiting) expect((await answer).status).toBe(401)
    expect(await statesOf(context)).toEqual(['target 20 PENDING'])
  })

  it('nobody waits any longer where the server ends', async () => {
    const waiting = [waitForLong(), waitForLong()]
    await untilTwoWait()
    server.lifecycle.state = 'draining'
    for (const answer of waiting) expect((await answer).json).toEqual([])
    server.lifecycle.state = 'ready'
  })
})

describe('where one account may not wait as often as all', () => {
  const served = settingServer(ANY_DATABASE, { waitingPolls: 3, waitingPollsOfAccount: 1 })

  it('leaves places to others', async () => {
    const { pending, makeDevice, set, site } = served()
    const other = await makeDevice(site.systems[0])
    const answers = [pending('?wait=2'), pending('?wait=2'), pending('?wait=2')]
    const refused = (await Promise.all(answers)).filter(({ status }) => status === 503)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.json).toMatchObject({
      code: 'UNAVAILABLE',
      detail: expect.stringContaining('(waitingPollsOfAccount)') as unknown,
    })
    const waiting = [pending('?wait=60'), pending('?wait=60', { authorization: other.authorization })]
    await set(21)
    for (const answer of waiting) expect(valuesOf(await answer)).toEqual([21])
  })
})
