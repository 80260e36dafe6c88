import { randomUUID } from 'node:crypto'
import { getHeapStatistics } from 'node:v8'
import { parentPort, workerData } from 'node:worker_threads'
import { DatabaseClock } from '../../db/database-clock.ts'
import { openPostgres } from '../../db/postgres/postgres.ts'
import type { Database } from '../../db/sql.ts'
import { LONG_WORK_MS } from '../../db/time-limit.ts'
import { externalProviders } from '../../platform/access/delegated/provider/external-providers.ts'
import { GrantKeeper } from '../../platform/access/grants/grant-keeper.ts'
import type { ApplyOutcome } from '../../platform/imports/applying/apply-outcome.ts'
import { ChangeSignals } from '../../platform/change-signals.ts'
import { DataKey } from '../../platform/data-key.ts'
import { SecretKeeper } from '../../platform/secret-keeper.ts'
import { HoldfastError } from '../../lib/errors.ts'
import { readerOf } from '../../plan/withhold.ts'
import { domainContext, type AccessParts } from '../request-context.ts'
import { HttpError } from '../requests/error-response.ts'
import { accessLog } from '../access-log.ts'
import { graphqlContext } from '../graphql/call.ts'
import { graphqlHandler } from '../graphql/requests/handler.ts'
import { contextFor, readRequest } from '../graphql/requests/read-request.ts'
import { answerImport } from '../import/answer-import.ts'
import { planForPages } from '../import/plan-for-pages.ts'
import type { Logger } from '../logger.ts'
import type { HeavyOrder, HeavyReport, HeavyRequest, HeavySetup } from './heavy-message.ts'

const noteApply = (outcome: ApplyOutcome): void => report({ applied: outcome })
let opening: ReturnType<typeof open> | null = null
// A request that needs the database gets the error.
opened().catch(() => undefined)

const TELL_MS = 1_000
setInterval(() => void tellLoad(), TELL_MS).unref()

parentPort?.on('message', (order: HeavyOrder) => {
  if (order === 'end') void close()
  else if ('left' in order) asked.get(order.left)?.abort()
  else void carryOut(order.id, order.request)
})

/** The requests in progress, by their numbers. */
const asked = new Map<number, AbortController>()

async function carryOut(id: number, request: HeavyRequest): Promise<void> {
  const leaving = new AbortController()
  asked.set(id, leaving)
  try {
    const response = await answer(request, leaving.signal)
    const body = await response.arrayBuffer()
    const made = { status: response.status, headers: [...response.headers], body }
    await tellLoad()
    report({ id, answer: made }, [body])
  } catch (error) {
    report(refusalOf(id, error))
  } finally {
    asked.delete(id)
  }
}

async function tellLoad(): Promise<void> {
  const last = await opening?.catch(() => null)
  const connections = last?.parts.database.load?.()
  const heapBytes = getHeapStatistics().total_heap_size
  report({ load: { heapBytes, ...(connections && { connections }) } })
}

async function answer(request: HeavyRequest, left: AbortSignal): Promise<Response> {
  const { body, domain, actor, tokenHash, traceId, at, accept, order, pages } = request
  const { parts, handle, changes } = await opened()
  const context = { ...domainContext({ ...parts, changes, noteApply }, domain, actor, tokenHash, at), left }
  const noteAccessChange = accessLog(LOGGER, { traceId, domain, actor })
  const sent = { context, reader: readerOf(actor), body, traceId, noteAccessChange }
  if (order !== undefined) return answerImport({ ...sent, order })
  if (pages !== undefined) return planForPages({ ...sent, order: pages })
  // Subscriptions belong to the thread that owns the sockets.
  const asked = readRequest(body)
  const call = { context: contextFor(context, asked), actor, tokenHash, noteAccessChange, streams: null }
  return handle({ asked, ...graphqlContext(call), traceId, accept })
}

/** Opens the database, and tries again if it could not be reached before. */
function opened(): ReturnType<typeof open> {
  opening ??= open(workerData as HeavySetup).catch((error: unknown) => {
    opening = null
    throw error
  })
  return opening
}

async function open({ databaseUrl, key, allowedIssuers, maxConnections, name }: HeavySetup) {
  const database = await openPostgres(databaseUrl, { maxConnections, name, statementMs: LONG_WORK_MS })
  const changes = new ChangeSignals()
  changes.listen((domainId, topic) => report({ changed: { domainId, topic } }))
  const { now } = await DatabaseClock.open(database)
  return { parts: partsOf(database, key, allowedIssuers, now), handle: graphqlHandler(LOGGER), changes }
}

function partsOf(database: Database, key: Uint8Array, allowedOrigins: readonly string[], now: () => Date): AccessParts {
  return {
    database,
    secrets: new SecretKeeper(key, now),
    key: new DataKey(key),
    external: externalProviders({ allowedOrigins, now }),
    grants: new GrantKeeper(database),
    now,
    newId: () => randomUUID(),
  }
}

const LOGGER: Logger = {
  info: (fields, message) => report({ logged: { level: 'info', fields, message } }),
  error: (fields, message) => report({ logged: { level: 'error', fields, message } }),
}

function refusalOf(id: number, error: unknown): HeavyReport {
  // An error that is posted to another thread loses its class.
  if (error instanceof HoldfastError && !(error instanceof HttpError)) {
    const { code, message, details } = error
    return { id, refused: { code, message, details } }
  }
  if (!(error instanceof HttpError)) return { id, failure: error instanceof Error ? error : new Error(String(error)) }
  const { code, status, title, message, headers } = error
  return { id, refusal: { code, status, title, message, headers } }
}

function report(what: HeavyReport, given: ArrayBuffer[] = []): void {
  parentPort?.postMessage(what, given)
}

async function close(): Promise<void> {
  const last = await opening?.catch(() => null)
  await last?.parts.database.close().catch(() => undefined)
  parentPort?.close()
}
