import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { findAccountByLogin } from '../../../src/platform/access/accounts/accounts.ts'
import { OPERATOR } from '../../../src/platform/access/accounts/bootstrap.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { DOCUMENT_TYPE_NAMES } from '../../../src/records/record-type.ts'
import { giveToken, makeMachine } from '../../support/access.ts'
import { applyAll } from '../../support/domain.ts'
import { example } from '../../support/example-records.ts'
import { makeSystem, SITE_MODEL } from '../../support/site.ts'
import { HOSTS, type Answer, type Call, type TestServer } from '../test-server.ts'
import type { Known } from './any-value.ts'

// A domain with something of each kind, and the way to ask its server.

const NAME = 'fuzzed'

/** Makes records of every type, a system, and its datapoints. Returns their names. */
export async function makeWorld(context: DomainContext, server: TestServer): Promise<Known> {
  const links = ['characteristicServiceLinks', 'serviceComponentModelLinks']
  const model: { [type: string]: readonly object[] } = { ...SITE_MODEL }
  for (const type of DOCUMENT_TYPE_NAMES.filter((one) => !links.includes(one)))
    model[type] = [...(model[type] ?? []), example(type, NAME)]
  await applyAll(context, model)
  const site = await makeSystem<'temperature' | 'count' | 'note'>(context, { model: 'sensor', name: 'Sensor' }, 2)
  const points = [site.point('temperature', 20), site.point('count', 3), site.point('note', 'n')]
  await server.call({ path: '/rest/v1/data-points/add', body: JSON.stringify(points) })
  const { service_uuid, characteristic_uuid } = site.point('temperature', null)
  return [
    [/system/i, [site.systemUuid]],
    [/component/i, [...site.componentUuids, 'sensor']],
    [/service/i, [service_uuid, 'room']],
    [/characteristic/i, [characteristic_uuid, 'temperature', 'count']],
    [/unit|organization|alias|parent/i, [NAME]],
    [/model/i, ['sensor', NAME]],
    [/mail|user/i, [`${NAME}@example.org`, NAME]],
    [/code|key|slug|name/i, [NAME, 'temperature', 'room', 'sensor']],
    [/uuid|^id$|after/i, [site.systemUuid, ...site.componentUuids]],
  ]
}

/** Asks as somebody who may do everything, with a new token whenever a request has ended the one before. */
export class Asker {
  readonly #server: TestServer
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #token = ''
  #given = 0

  constructor(server: TestServer) {
    this.#server = server
  }

  async ask(call: Call): Promise<Answer> {
    if (this.#token !== '') {
      const answer = await this.#send(call)
      if (answer.status !== 401) return answer
    }
    await this.#giveToken()
    return this.#send(call)
  }

  close(): void {
    this.#agent.destroy()
  }

  async #giveToken(): Promise<void> {
    const [access] = this.#server.access
    if (access === undefined) throw new Error('there is no domain')
    this.#given += 1
    const operator = await findAccountByLogin(access, 'machine', OPERATOR)
    const token = `token-${this.#given}-with-enough-characters`
    await giveToken(access, operator ?? (await makeMachine(access, OPERATOR)), { token })
    this.#token = token
  }

  /** Of an answer that goes on, only the beginning is read. */
  #send({ method = 'POST', path = '/graphql', headers = {}, body }: Call): Promise<Answer> {
    const type =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const all = { host: HOSTS.first, authorization: `Bearer ${this.#token}`, ...type, ...headers }
    const { hostname, port } = new URL(this.#server.url)
    const asked = { hostname, port, path, method, agent: this.#agent, headers: all }
    return new Promise((resolve, reject) => {
      const request = httpRequest(asked, (response) => {
        readAll(response).then(resolve, reject)
      })
      request.on('error', reject)
      request.end(body)
    })
  }
}

async function readAll(response: IncomingMessage): Promise<Answer> {
  const { statusCode: status = 0, headers } = response
  if (headers['content-type']?.startsWith('text/event-stream') === true) {
    response.destroy()
    return { status, headers, text: '', json: undefined }
  }
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return { status, headers, text, json: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
