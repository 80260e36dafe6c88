// What a fleet needs of a platform: the measures of npm run bench:fleet and the goals that were set for them.

export interface Goal {
  readonly what: string
  readonly atLeast?: number
  readonly atMost?: number
}

/** By part of the run. A part fills its own measures, and none stands for what it did not measure. */
export const GOALS = {
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
  soakTail: { what: 'soak: p99 ÷ p50', atMost: 10 },
  soakMemory: { what: 'soak: memory of the server, last third ÷ second', atMost: 1.15 },
  soakHot: { what: 'soak: most points hot, last third ÷ second', atMost: 1.25 },
} as const satisfies { readonly [name: string]: Goal }

export type Measure = keyof typeof GOALS

/** NaN: it was refused. Left out: it was not measured. */
export type Measured = { readonly [measure in Measure]?: number }

export function isReached(measure: Measure, actual: number): boolean {
  const { atLeast = -Infinity, atMost = Infinity }: Goal = GOALS[measure]
  return actual >= atLeast && actual <= atMost
}
