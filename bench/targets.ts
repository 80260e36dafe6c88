// The goals of all benches, in the order of their reports.

export interface Goal {
  readonly what: string
  readonly atLeast?: number
  readonly atMost?: number
}

export const PLAN = {
  planJson: { what: 'plan from JSON, no change: CPU ÷ that of JSON.parse', atMost: 8 },
  planYaml: { what: 'plan from YAML, no change: CPU ÷ that of JSON.parse', atMost: 17 },
  changesJson: { what: 'plan from JSON, 1 % changed ÷ no change', atMost: 1.3 },
  changesYaml: { what: 'plan from YAML, 1 % changed ÷ no change', atMost: 1.3 },
  firstApply: { what: 'first apply ÷ bare insert', atMost: 1.5 },
  clientMemory: { what: 'client memory, KB a record', atMost: 2.5 },
  serverMemory: { what: 'server memory, KB a record', atMost: 6 },
  growth: { what: 'growth', atMost: 12 },
  slowest: { what: '1,000 records, the slowest command', atMost: 0.3 },
} as const satisfies { readonly [name: string]: Goal }

export const DATAPOINTS = {
  copy: { what: '1,000 a batch ÷ COPY without a key', atLeast: 0.4 },
  copyKeyed: { what: '1,000 a batch ÷ COPY with a primary key', atLeast: 1.25 },
  influx: { what: '1,000 a batch ÷ InfluxDB', atLeast: 1.3 },
  sustained: { what: 'sustained over 10,000 series ÷ 1,000 a batch', atLeast: 0.9 },
  sustainedTail: { what: 'sustained: p99 ÷ p50', atMost: 10 },
  hundredOne: { what: '100 a batch, 1 connection ÷ 1,000 a batch', atLeast: 0.2 },
  hundredMany: { what: '100 a batch, 32 connections ÷ 1,000 a batch', atLeast: 0.7 },
  folded: { what: 'bytes a point, folded', atMost: 16 },
  merged: { what: 'bytes a point, merged', atMost: 10 },
  readAll: { what: 'all points of a day ÷ InfluxDB', atMost: 0.6 },
  readMeans: { what: 'means of a day ÷ InfluxDB', atMost: 1 },
  pglite: { what: 'PGlite, thousands of points a second', atLeast: 250 },
  pgliteRatio: { what: '… or PGlite ÷ PostgreSQL', atLeast: 0.3 },
} as const satisfies { readonly [name: string]: Goal }

export const FLEET = {
  wide: { what: 'wide: 1,000 a batch, 8 connections ÷ InfluxDB', atLeast: 1.3 },
  devices: { what: "devices: a device's own 10 points a request, 64 connections ÷ InfluxDB", atLeast: 1 },
  firstWide: { what: 'first contact, 1,000 a request ÷ InfluxDB', atLeast: 0.5 },
  firstWideMicros: { what: 'first contact, 1,000 a request: µs of the server a point', atMost: 40 },
  firstDevices: { what: 'first contact, 10 a request ÷ InfluxDB', atLeast: 0.5 },
  firstDevicesMicros: { what: 'first contact, 10 a request: µs of the server a point', atMost: 40 },
  oldCopy: { what: '1,000 series, 1,000 a batch ÷ COPY of text', atLeast: 0.4 },
  oldSmall: { what: '1,000 series, 100 a batch, 32 connections ÷ 1,000 a batch', atLeast: 0.7 },
  memory: { what: 'memory of the server, 100,000 series, MB', atMost: 400 },
  largeMemory: { what: 'memory of the server, 1,000,000 series, MB', atMost: 1_200 },
  freshBytes: { what: 'bytes a point, 10 s after sending', atMost: 40 },
  hourBytes: { what: 'bytes a point, after an hour of the fleet', atMost: 12 },
  mergedBytes: { what: 'bytes a point, all folded and joined', atMost: 4 },
  logBytes: { what: 'bytes of log a point, folding included', atMost: 60 },
  hourlyBytes: { what: 'bytes a point, one an hour over 90 days', atMost: 5 },
  latest: { what: 'while the fleet sends: latest of 1,000 series, ms', atMost: 10 },
  lastHour: { what: 'while the fleet sends: the last hour of one series, p95, ms', atMost: 20 },
  ready: { what: 'ready again after kill -9 with an hour hot, s', atMost: 10 },
  yearByMonth: { what: 'the year of 1 Hz by month ÷ a month of it by day', atMost: 3 },
  yearCurve: { what: 'the slowest curve of the year, ms', atMost: 300 },
} as const satisfies { readonly [name: string]: Goal }

export const CONSOLE = {
  search: { what: 'the slowest search, ms of server and database', atMost: 100 },
  month: { what: '30 days at 1 Hz, ms of server and database', atMost: 300 },
  monthBytes: { what: '30 days at 1 Hz, bytes', atMost: 60_000 },
  frame: { what: 'scripts, styles and layout for a frame, ms', atMost: 8 },
  late: { what: 'frames later than 34 ms, %', atMost: 2 },
  veryLate: { what: 'frames later than 51 ms, %', atMost: 0.5 },
} as const satisfies { readonly [name: string]: Goal }
