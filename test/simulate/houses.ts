import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, openRealServer, type Outcome, type RealServer, type TestClock } from './real-server.ts'

const MODELS = join(import.meta.dirname, '../../models')

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
/** Long ago for the server, the present for the command. */
export const NOON = Date.UTC(2026, 0, 14, 12)

export interface SystemOf {
  readonly uuid: string
  readonly organizationUnit: string | null
  readonly metadataKeyValueStore: readonly unknown[]
}

export interface ComponentOf {
  readonly uuid: string
  readonly componentModel: string
}

export type Point = readonly [time: number, value: unknown]

/** A server with the sample model, on which each test makes a house of its own, by its seed. */
export class Houses {
  readonly server: RealServer
  /** What the command said while the model was not there yet. */
  readonly beforeModel: Outcome
  #seeds = 100

  constructor(server: RealServer, beforeModel: Outcome) {
    this.server = server
    this.beforeModel = beforeModel
  }

  static async open(): Promise<Houses> {
    const server = await openRealServer()
    const { dataDir } = server
    const beforeModel = await command('simulate --once', { dataDir })
    const env = { ...demoSecrets(), HOLDFAST_DATA_DIR: dataDir }
    const applied = await command(`apply --yes --models ${MODELS}`, { dataDir, env })
    if (applied.code !== 0) throw new Error(applied.stderr)
    return new Houses(server, beforeModel)
  }

  newSeed(): number {
    return (this.#seeds += 1)
  }

  simulate(
    seed: number,
    line: string,
    clock: TestClock,
    more: Partial<Parameters<typeof command>[1]> = {},
  ): Promise<Outcome> {
    return command(`simulate --seed ${seed} ${line}`, { dataDir: this.server.dataDir, clock, ...more })
  }

  async systemOf(seed: number): Promise<SystemOf> {
    const { systems } = await this.server.graphql<{ systems: { nodes: (SystemOf & { name: string })[] } }>(
      '{ systems(first: 100) { nodes { uuid name organizationUnit metadataKeyValueStore { key } } } }',
    )
    const found = systems.nodes.find(({ name }) => name.includes(`seed ${seed} `))
    if (found === undefined) throw new Error(`there is no house of seed ${seed}`)
    return found
  }

  async componentsOf(seed: number): Promise<readonly ComponentOf[]> {
    const { uuid } = await this.systemOf(seed)
    const { components } = await this.server.graphql<{ components: { nodes: ComponentOf[] } }>(
      'query ($system: ID!) { components(first: 100, filter: { systems: [$system] }) { nodes { uuid componentModel } } }',
      { system: uuid },
    )
    return components.nodes
  }

  /** Of the first component of a model. */
  async pointsOf(seed: number, model: string, service: string, characteristic: string): Promise<Point[]> {
    const component = await this.componentOf(seed, model)
    const { datapoints } = await this.server.graphql<{
      datapoints: { points: { timestamp: string; value: unknown }[] }
    }>(
      `query ($component: ID!, $service: String!, $characteristic: String!) {
        datapoints(component: $component, service: $service, characteristic: $characteristic, first: 100000) {
          points { timestamp value }
        }
      }`,
      { component, service, characteristic },
    )
    return datapoints.points.map(({ timestamp, value }) => [Date.parse(timestamp), value])
  }

  async componentOf(seed: number, model: string): Promise<string> {
    const found = (await this.componentsOf(seed)).find(({ componentModel }) => componentModel === model)
    if (found === undefined) throw new Error(`the house has no ${model}`)
    return found.uuid
  }

  /** Sets it on the first component of a model, and waits until the house has answered. */
  async set(seed: number, model: string, service: string, characteristic: string, value: unknown): Promise<Answered> {
    const component = await this.componentOf(seed, model)
    const { setSetpoints } = await this.server.graphql<{ setSetpoints: { uuid: string }[] }>(
      `mutation ($components: [ComponentSetpointInput!]) { setSetpoints(components: $components) { uuid } }`,
      { components: [{ component, service, characteristic, value }] },
    )
    for (;;) {
      const { setpoint } = await this.server.graphql<{ setpoint: Answered }>(
        'query ($uuid: ID!) { setpoint(uuid: $uuid) { state reason } }',
        { uuid: setSetpoints[0]?.uuid },
      )
      if (!['PENDING', 'SENT', 'ACKNOWLEDGED'].includes(setpoint.state)) return setpoint
    }
  }
}

export interface Answered {
  readonly state: string
  readonly reason: string | null
}

/** Something for each secret that the sample model refers to. */
export function demoSecrets(): { [name: string]: string } {
  const names = readFileSync(join(MODELS, 'access.yaml'), 'utf8').matchAll(/\$\{env:(\w+)\}/g)
  return Object.fromEntries([...names].map(([, name]) => [name, `the secret of ${name}, long enough`]))
}

/** One for each minute after `from` up to `to`. */
export function minutes(from: number, to: number): number[] {
  return Array.from({ length: Math.round((to - from) / MINUTE) }, (_, index) => from + (index + 1) * MINUTE)
}
