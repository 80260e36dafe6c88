import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { HoldfastError } from './lib/errors.ts'

export type Environment = { readonly [name: string]: string | undefined }

/** The settings from the environment. Secrets and addresses with passwords never appear in a message. */
export interface Config {
  readonly host: string
  readonly port: number
  /** The number of processes that take requests on the port. */
  readonly workers: number
  /** The port of /metrics. If null, /metrics is on `port` for this machine only, and is not served behind a proxy. */
  readonly metricsPort: number | null
  /** Null to use PGlite in the data directory. */
  readonly databaseUrl: string | null
  /** The maximum number of connections to PostgreSQL that each process opens. */
  readonly connections: number
  readonly dataDir: string
  /** Null to use the key in the data directory, which is created if it does not exist. */
  readonly key: Uint8Array | null
  /** The address without a final `/`; null to take it from the Host header of each request. */
  readonly baseUrl: string | null
  readonly bootstrapSecret: string | null
  readonly bootstrapPassword: string | null
  /** Origins of OpenID providers that are allowed although they are not on the internet or do not use https. */
  readonly allowedIssuers: readonly string[]
  /** The number of hours after a sign-in at another provider in which applications may refresh their tokens. */
  readonly providerRefreshHours: number
  /** Addresses and networks (CIDR) of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Whether the server compresses answers. A proxy may do it instead. */
  readonly compresses: boolean
}

export interface ConfigProblem {
  readonly variable: string
  readonly message: string
}

const SHORTEST_KEY = 32
const SHORTEST_SECRET = 16
const MOST_WORKERS = 64
/**
 * One connection each for requests, heavy requests, flushes and signs of life (src/db/postgres/connection-budget.ts).
 */
const FEWEST_CONNECTIONS = 4
const MOST_CONNECTIONS = 200
/** The lifetime of a family of refresh tokens: 90 days. */
const MOST_REFRESH_HOURS = 2_160

/** Reads all variables before it reports problems, so that one start shows all. Empty counts as not set. */
export function readConfig(env: Environment, cwd: string): Config {
  const problems: ConfigProblem[] = []
  const read = <T>(variable: string, otherwise: T, parse: (text: string) => T | Problem): T => {
    const text = env[variable]?.trim()
    const value = text ? parse(text) : otherwise
    if (!(value instanceof Problem)) return value
    problems.push({ variable, message: value.message })
    return otherwise
  }
  const config: Config = {
    host: read('HOST', '127.0.0.1', parseHost),
    port: read('PORT', 3000, parsePort),
    workers: read('WORKERS', 1, parseWorkers),
    metricsPort: read<number | null>('METRICS_PORT', null, parsePort),
    databaseUrl: read<string | null>('DATABASE_URL', null, parseDatabaseUrl),
    connections: read('HOLDFAST_CONNECTIONS', 16, parseConnections),
    dataDir: resolve(
      cwd,
      read('HOLDFAST_DATA_DIR', '.holdfast', (text) => text),
    ),
    key: read<Uint8Array | null>('HOLDFAST_KEY', null, parseKey),
    baseUrl: read<string | null>('HOLDFAST_BASE_URL', null, parseBaseUrl),
    bootstrapSecret: read<string | null>('HOLDFAST_BOOTSTRAP_SECRET', null, parseSecret),
    bootstrapPassword: read<string | null>('HOLDFAST_BOOTSTRAP_PASSWORD', null, parsePassword),
    allowedIssuers: read<readonly string[]>('HOLDFAST_ALLOWED_ISSUERS', [], parseOrigins),
    providerRefreshHours: read('HOLDFAST_PROVIDER_REFRESH_HOURS', 24, parseRefreshHours),
    trustedProxies: read<readonly string[]>('HOLDFAST_TRUSTED_PROXIES', [], parseNetworks),
    compresses: read('HOLDFAST_COMPRESSION', true, parseSwitch),
  }
  if (env['DATABASE_URL']?.trim() && !env['HOLDFAST_KEY']?.trim()) {
    const message =
      'is needed with DATABASE_URL, the same for all servers of one database; make one with: openssl rand -base64 32'
    problems.push({ variable: 'HOLDFAST_KEY', message })
  }
  if (config.metricsPort !== null && config.metricsPort !== 0 && config.metricsPort === config.port)
    problems.push({ variable: 'METRICS_PORT', message: 'must be another port than PORT' })
  if (config.workers > 1 && config.databaseUrl === null) {
    const message =
      'must be 1 without DATABASE_URL: the database in the data directory (PGlite) belongs to one process; set DATABASE_URL to a PostgreSQL database, or leave WORKERS out'
    problems.push({ variable: 'WORKERS', message })
  }
  if (problems.length > 0) throw refusal(problems)
  return config
}

/** A problem of a variable. Its text continues a sentence that begins with the variable's name. */
class Problem {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

function refusal(problems: readonly ConfigProblem[]): HoldfastError {
  const lines = problems.map(({ variable, message }) => `\n  ${variable} ${message}`)
  return new HoldfastError('BAD_USER_INPUT', `The environment cannot be used:${lines.join('')}`, { details: problems })
}

function parsePort(text: string): number | Problem {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  return new Problem(`must be a whole number from 0 (any free port) to 65535, not ${JSON.stringify(text)}`)
}

function parseWorkers(text: string): number | Problem {
  const workers = Number(text)
  if (/^\d+$/.test(text) && workers >= 1 && workers <= MOST_WORKERS) return workers
  return new Problem(`must be a whole number from 1 to ${MOST_WORKERS}, not ${JSON.stringify(text)}`)
}

function parseConnections(text: string): number | Problem {
  const connections = Number(text)
  if (/^\d+$/.test(text) && connections >= FEWEST_CONNECTIONS && connections <= MOST_CONNECTIONS) return connections
  return new Problem(
    `must be a whole number from ${FEWEST_CONNECTIONS} to ${MOST_CONNECTIONS}, not ${JSON.stringify(text)}`,
  )
}

function parseRefreshHours(text: string): number | Problem {
  const hours = Number(text)
  if (/^\d+$/.test(text) && hours >= 1 && hours <= MOST_REFRESH_HOURS) return hours
  return new Problem(`must be a whole number of hours from 1 to ${MOST_REFRESH_HOURS}, not ${JSON.stringify(text)}`)
}

function parseSwitch(text: string): boolean | Problem {
  if (text === 'on' || text === 'off') return text === 'on'
  return new Problem(`must be on or off, not ${JSON.stringify(text)}`)
}

function parseHost(text: string): string | Problem {
  if (/^[\w.:-]+$/.test(text)) return text
  return new Problem(
    `must be an address or name to listen on, such as 127.0.0.1, 0.0.0.0 or ::, not ${JSON.stringify(text)}`,
  )
}

function parseDatabaseUrl(text: string): string | Problem {
  if (URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)) return text
  return new Problem('must have the form postgres://user:password@host:5432/database')
}

function parseKey(text: string): Uint8Array | Problem {
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(text)
  if (!isHex && !/^[\w+/-]+={0,2}$/.test(text)) return new Problem('must be written in base64 or as hexadecimal digits')
  const key = new Uint8Array(Buffer.from(text, isHex ? 'hex' : 'base64'))
  if (key.length >= SHORTEST_KEY) return key
  return new Problem(
    `must hold at least ${SHORTEST_KEY} bytes, not ${key.length}; make one with: openssl rand -base64 32`,
  )
}

function parseBaseUrl(text: string): string | Problem {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search === '' && url.hash === ''
  if (url !== null && isPlain && url.username === '' && url.password === '') return url.origin
  return new Problem('must be an address without path, query and password, such as https://building.example.com')
}

function parseOrigins(text: string): readonly string[] | Problem {
  const origins = text.split(/[\s,]+/).filter((part) => part !== '')
  const wrong = origins.findIndex((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin)
  if (wrong === -1) return origins
  return new Problem(
    `must list origins such as https://login.example.com or http://127.0.0.1:4000, with commas between them; number ${wrong + 1} is none`,
  )
}

function parseNetworks(text: string): readonly string[] | Problem {
  const networks = text.split(/[\s,]+/).filter((part) => part !== '')
  const wrong = networks.find((network) => !isNetwork(network))
  if (wrong === undefined) return networks
  return new Problem(
    `must list addresses or networks such as 10.0.0.0/8 or fd00::/8, with commas between them, not ${JSON.stringify(wrong)}`,
  )
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
  return family !== 0 && isPrefix && more.length === 0
}

/** Accepts only characters that survive every way of sending a client secret, and `+`, which Basic must encode. */
function parseSecret(text: string): string | Problem {
  if (text.length >= SHORTEST_SECRET && /^[\w.~+/-]+=*$/.test(text)) return text
  return new Problem(
    `must have at least ${SHORTEST_SECRET} characters out of letters, digits and - . _ ~ + / (= at the end)`,
  )
}

function parsePassword(text: string): string | Problem {
  if (text.length >= SHORTEST_SECRET) return text
  return new Problem(`must have at least ${SHORTEST_SECRET} characters`)
}
