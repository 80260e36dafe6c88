import type { Json, JsonObject } from '../../../src/lib/json.ts'
import { HOSTS, type Call, type TestServer } from '../../server/test-server.ts'
import type { DeviceCode } from './device.ts'
import type { Sent, World } from './statement.ts'

// The ways in which statements are tried: by an import document, an operation of GraphQL, or a request.

export interface PlannedChange {
  readonly type: string
  readonly key: string
  readonly after: JsonObject
}

/** What a plan says to a document. */
export interface Imported {
  readonly outcome: 'taken' | 'refused'
  readonly errors: readonly Finding[]
  readonly warnings: readonly string[]
  readonly changes: readonly PlannedChange[]
}

interface Finding {
  readonly code: string
  readonly pointer: string
}

interface Plan {
  readonly changes: readonly PlannedChange[]
  readonly diagnostics: readonly (Finding & { readonly severity: string })[]
}

const PLAN = 'query ($document: JSON!) { planImport(document: $document) { json } }'

const plans = new Map<string, Promise<Imported>>()

/** Asked once for each document: a plan changes nothing, and nobody else does in the domain that it is for. */
export function planned(server: TestServer, document: JsonObject, at?: string): Promise<Imported> {
  const key = JSON.stringify([document, at])
  const known = plans.get(key) ?? plan(server, document, at)
  plans.set(key, known)
  return known
}

async function plan(server: TestServer, document: JsonObject, at?: string): Promise<Imported> {
  const { data, errors } = await server.graphql(PLAN, { document }, at)
  if (errors !== undefined) {
    const { code, details = [] } = (errors[0]?.extensions ?? {}) as { code?: string; details?: Plan['diagnostics'] }
    const whole = { code: code ?? '', pointer: '', severity: 'error' }
    return answered('refused', details.length === 0 ? [whole] : details, [])
  }
  const { changes, diagnostics } = (data as unknown as { planImport: { json: Plan } }).planImport.json
  const isRefused = diagnostics.some(({ severity }) => severity === 'error')
  return answered(isRefused ? 'refused' : 'taken', diagnostics, changes)
}

function answered(
  outcome: Imported['outcome'],
  diagnostics: Plan['diagnostics'],
  changes: Imported['changes'],
): Imported {
  const of = (severity: string) => diagnostics.filter((one) => one.severity === severity)
  return { outcome, errors: of('error'), warnings: of('warning').map(({ code }) => code), changes }
}

/** An import document, on a platform that has nothing of it. */
export function imports(document: JsonObject): Sent {
  return ({ server }) => planned(server, document)
}

export const TAKEN = { outcome: 'taken' } as const

export function refused(code: string, pointer?: string): object {
  return { outcome: 'refused', errors: [{ code, ...(pointer !== undefined && { pointer }) }] }
}

export function takenWith(...warnings: readonly string[]): object {
  return { outcome: 'taken', warnings }
}

/** The domain that has the device. In the other one nothing is ever made, so that every plan begins with nothing. */
const host = HOSTS.second

export function graphql(query: string, variables: JsonObject = {}): Sent {
  return ({ server }) => server.graphql(query, variables, host)
}

export function request(call: Call | ((world: World) => Call)): Sent {
  return (world) => world.server.call({ host, ...(typeof call === 'function' ? call(world) : call) })
}

/** A value of the device. */
export function datapoints(code: DeviceCode, value: Json): Sent {
  return sendsOne(ADD, code, value)
}

/** One that a user wants. */
export function setpoints(code: DeviceCode, value: Json): Sent {
  return sendsOne(SET, code, value)
}

function sendsOne(path: string, code: DeviceCode, value: Json): Sent {
  return async ({ server, site }) => {
    const body = JSON.stringify([site.point(code, value)])
    const { status, json } = await server.call({ path, host, body })
    const errors = (json as { errors?: readonly { code: string }[] } | undefined)?.errors ?? []
    return { status, codes: errors.map(({ code: one }) => one) }
  }
}

export const ADD = '/rest/v1/data-points/add'
export const SET = '/rest/v1/set-points/add'

/** A document, and one after it that does not have its record type. */
export async function partialImports({ server }: World): Promise<unknown> {
  const send = (document: JsonObject, query = '') =>
    server.call({ path: `/rest/v1/import${query}`, host, body: JSON.stringify(document) })
  const apply = async (document: JsonObject) => {
    const { digest, outcome } = (await send(document)).json as { digest: string; outcome: string }
    const { notManaged } = (await send(document, `?apply=${digest}`)).json as { notManaged: readonly string[] }
    return { outcome, notManaged }
  }
  await apply({ metadataTypes: [{ key: 'kept', entityType: 'SYSTEM', dataType: 'STRING' }] })
  const { outcome, notManaged } = await apply({ dataSources: [] })
  const { metadataTypes } = await server.data('{ metadataTypes { nodes { key } } }', {}, host)
  return { outcome, notManaged, metadataTypes }
}

/** The guards of a document that does not have a record type any more, as the command line sends it. */
export async function leavesScope({ server }: World): Promise<unknown> {
  const apply = async (document: JsonObject) => {
    const send = (query: string) =>
      server.call({ path: `/rest/v1/import${query}`, host, body: JSON.stringify(document) })
    return send(`?apply=${((await send('')).json as { digest: string }).digest}`)
  }
  await apply({ metadataTypes: [{ key: 'left', entityType: 'USER', dataType: 'STRING' }] })
  const query = '{ planImport(document: {}, settings: {}) { json } }'
  const { planImport } = await server.data<{
    planImport: { json: { outcome: string; changes: unknown[]; scope: Row[] } }
  }>(query, {}, host)
  const { outcome, changes, scope } = planImport.json
  const row = scope.find(({ type }) => type === 'metadataTypes')
  return { outcome, changes, guards: row?.guards.map(({ code }) => code) }
}

interface Row {
  readonly type: string
  readonly guards: readonly { readonly code: string }[]
}
