import type { Server } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { readConfig, type Config, type Environment } from '../../config.ts'
import { madeKeyLog } from '../access-log.ts'
import { isNodeAway } from '../../db/sql-error.ts'
import { listDomains, type Domain } from '../../store/domains.ts'
import { findDomainsAway } from '../../store/nodes-of-domains.ts'
import { accessContext } from '../request-context.ts'
import { keepDatapoints } from './datapoint-upkeep.ts'
import { keepSetpoints } from './setpoint-upkeep.ts'
import { claimConnections, shareConnections } from '../../db/postgres/connection-budget.ts'
import { createApp, type App } from '../app.ts'
import { bootstrap, bootstrapText } from './bootstrap.ts'
import { HeavyRequests, type HeavyParts } from '../heavy/heavy-requests.ts'
import { Lifecycle } from '../lifecycle.ts'
import { addressOf, listen } from './listen.ts'
import type { AddPages } from '../page-services.ts'
import { errorFields, type Logger } from '../logger.ts'
import { Metrics, type JoinMetrics } from '../metrics/metrics.ts'
import { WILDCARDS } from '../requests/host-name.ts'
import { platformMetrics } from '../metrics/platform-metrics.ts'
import { metricsOnly } from '../routes/metrics.ts'
import type { Platform } from '../platform.ts'
import { startPlatform, type StartedPlatform } from './start-platform.ts'
import { startSweeping } from './sweeper.ts'

export interface ServeOptions {
  readonly env: Environment
  readonly cwd: string
  readonly logger: Logger
  /** Writes a text for the person who starts the server, outside of the log. */
  tell(text: string): void
  /** The pages of the console; left out if the server has none. */
  readonly addPages?: AddPages
  /** Set if several processes serve on the same port. */
  readonly joinMetrics?: JoinMetrics
  /** Whether others already take requests on the port. Then this process listens only when it can answer them. */
  readonly isBesideOthers?: boolean
}

export interface RunningServer {
  readonly url: string
  /** Accepts no new requests, finishes running ones within ten seconds, and closes the database. */
  stop(): Promise<void>
}

const GRACE_MS = 10_000

/**
 * Without this option V8 lets a heap grow to about four times its live size before a full collection. The garbage from
 * first learning many series would then stay for long, because familiar points create none. V8 reads the number at each
 * collection.
 */
const HEAP_GROWTH = '--heap-growing-percent=60'

/**
 * Starts the server. It listens first, so that a used port is found before the database is opened, and readiness can be
 * queried meanwhile. If others already serve on the port, it listens last.
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { env, cwd, logger, tell, addPages, joinMetrics, isBesideOthers = false } = options
  setFlagsFromString(HEAP_GROWTH)
  const config = readConfig(env, cwd)
  const lifecycle = new Lifecycle()
  let platform: StartedPlatform | undefined
  const isReady = () => lifecycle.state === 'ready' && platform?.database.load?.().isUp !== false
  const metrics = new Metrics(isReady, joinMetrics)
  let heavy: HeavyRequests | undefined
  /** The platform for the routes, after it was opened. */
  let whole: Platform | undefined
  let credentials: string | null
  const app = createApp({
    lifecycle,
    logger,
    platform: () => opened(whole),
    trustedProxies: config.trustedProxies,
    metrics,
    hidesMetrics: config.metricsPort !== null || isBehindProxy(config),
    ...(addPages && { addPages }),
  })
  const isShared = joinMetrics !== undefined
  const failed = (error: Error): void => logger.error(errorFields(error), 'a connection could not be accepted')
  const openPorts = (): Promise<Ports> => listenAll(app, metrics, { ...config, isShared, failed })
  let ports = isBesideOthers ? null : await openPorts()
  try {
    // Routes load these modules on demand. A server loads them at the start, so that its first client need not wait.
    const [started, { checkProvider }] = await Promise.all([
      startPlatform(config, { tell }),
      import('../oidc/provider.ts'),
      import('../graphql/requests/handler.ts'),
      import('../graphql/subscriptions/subscriptions.ts'),
      import('../oidc/mount.ts'),
    ])
    platform = started
    if (config.databaseUrl !== null) {
      const processes = isBesideOthers ? 1 : config.workers
      tell(await claimConnections(started.database, { ...config, processes, name: started.sessions }))
    }
    heavy = heavyRequests(config, started, logger, metrics.applies.note)
    whole = { ...started, noteApply: metrics.applies.note, ...(heavy && { heavy }) }
    // The keys are encrypted with the HOLDFAST_KEY with which the database was created. With another key the server
    // must not start.
    const checked = await checkKey(started, (domain) =>
      checkProvider({ ...accessContext(started, domain), noteMadeKey: madeKeyLog(logger, domain) }),
    )
    const access = accessContext(started, checked)
    const isOfOperator = checked === started.domain
    credentials = isOfOperator
      ? bootstrapText(await bootstrap(access, config), process.stderr.isTTY === true)
      : OPERATOR_AWAY
    metrics.add(platformMetrics(whole))
    lifecycle.state = 'ready'
    ports ??= await openPorts()
  } catch (error) {
    for (const one of [ports?.server, ports?.observed]) {
      one?.closeAllConnections()
      one?.close()
    }
    await heavy?.close()
    await platform?.close()
    throw error
  }
  const { server, observed } = ports
  const address = addressOf(server)
  platform.announce(address)
  if (credentials !== null) tell(credentials)
  tell(`Holdfast is listening on ${listeningText(address, config)}`)
  if (observed !== null) tell(`Metrics are at ${addressOf(observed)}/metrics`)
  const sweeping = startSweeping(platform, logger)
  // Each of several workers would need the memory of its own thread.
  if (!isShared) heavy?.prepare()
  const upkeep = keepDatapoints(platform.datapoints, logger)
  const expiry = keepSetpoints(platform, logger)
  return {
    url: config.baseUrl ?? address,
    stop: async () => {
      await Promise.all([endRequests(server, lifecycle), sweeping.stop(), upkeep.stop(), expiry.stop()])
      await heavy?.close()
      await opened(platform).close()
      observed?.closeAllConnections()
      observed?.close()
    },
  }
}

const OPERATOR_AWAY =
  'The database cannot reach the node with the domain of the operator. This server serves the other domains meanwhile'

/**
 * Checks HOLDFAST_KEY by the signing keys of the default domain, or of another one if its node is away. Returns the
 * domain that was checked.
 */
async function checkKey(
  { database, domain }: StartedPlatform,
  check: (domain: Domain) => Promise<void>,
): Promise<Domain> {
  try {
    await check(domain)
    return domain
  } catch (error) {
    if (!isNodeAway(error) && database.away?.().has(domain.id) !== true) throw error
    const domains = await database.read(listDomains)
    const away = await findDomainsAway(
      database,
      domains.map(({ id }) => id),
    )
    const other = domains.find(({ id }) => !away.includes(id))
    if (other === undefined) throw error
    await check(other)
    return other
  }
}

/** Tells whether a request from this machine could come from a proxy, on behalf of somebody else. */
function isBehindProxy({ baseUrl, trustedProxies }: Config): boolean {
  return baseUrl !== null || trustedProxies.length > 0
}

/** Returns the thread for heavy requests; nothing if the database is embedded in this process. */
function heavyRequests(
  config: Config,
  { changes, now, sessions: name }: StartedPlatform,
  logger: Logger,
  noteApply: HeavyParts['noteApply'],
): HeavyRequests | undefined {
  const { databaseUrl, key, allowedIssuers, connections } = config
  if (databaseUrl === null || key === null) return undefined
  const maxConnections = shareConnections(connections).heavy
  const setup = { databaseUrl, key, allowedIssuers, maxConnections, name }
  return new HeavyRequests({ setup, changes, logger, noteApply, now })
}

interface Ports {
  readonly server: Server
  /** Null if metrics have no port of their own. */
  readonly observed: Server | null
}

async function listenAll(
  { app, direct }: App,
  metrics: Metrics,
  config: Config & { isShared: boolean; failed: (error: Error) => void },
): Promise<Ports> {
  const { host, port, metricsPort, compresses, isShared, failed } = config
  const server = await listen((request, bindings) => app.fetch(request, bindings), {
    host,
    port,
    isShared,
    failed,
    direct,
    compresses,
  })
  if (metricsPort === null) return { server, observed: null }
  try {
    const own = { host, port: metricsPort, variable: 'METRICS_PORT', isShared, failed, compresses }
    return { server, observed: await listen(metricsOnly(metrics), own) }
  } catch (error) {
    server.close()
    throw error
  }
}

function opened<Opened extends Platform>(platform: Opened | undefined): Opened {
  if (platform === undefined) throw new Error('a route used the platform before it was open')
  return platform
}

/**
 * Names the listening address and the public address, because HOST=127.0.0.1 in a container cannot be reached from
 * outside.
 */
function listeningText(address: string, { host, baseUrl }: Config): string {
  const everywhere = host in WILDCARDS ? ' and all other addresses of this machine' : ''
  return `${address}${everywhere}${baseUrl === null ? '' : ` for ${baseUrl}`}`
}

async function endRequests(server: Server, lifecycle: Lifecycle): Promise<void> {
  lifecycle.state = 'draining'
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearTimeout(timer)
}
