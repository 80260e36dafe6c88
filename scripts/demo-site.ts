// What there is to see in the demo, and the commands to try it with.
import { connect } from '../src/reconcile/target/open-target.ts'
import { readCredentials } from '../src/server/process/credentials.ts'
import { progressOn } from '../src/shell/progress.ts'
import type { Context } from '../src/shell/io.ts'
import type { GraphqlClient } from '../src/client/graphql-client.ts'

const FIND = /* GraphQL */ `
  query Demo {
    systems(first: 2) {
      nodes {
        uuid
        name
      }
    }
    setpoints(first: 1) {
      nodes {
        uuid
      }
    }
  }
`

const FIND_COMPONENTS = /* GraphQL */ `
  query Components($system: ID!) {
    components(first: 100, filter: { systems: [$system] }) {
      nodes {
        uuid
        name
        supports {
          service
          characteristic
        }
      }
    }
  }
`

const SET = /* GraphQL */ `
  mutation Set($components: [ComponentSetpointInput!]!) {
    setSetpoints(components: $components) {
      uuid
    }
  }
`

interface Named {
  readonly uuid: string
  readonly name: string
}

interface Component extends Named {
  readonly supports: readonly { readonly service: string; readonly characteristic: string }[]
}

/** What is shown of the first house: a room with its people, its setpoint and the weather. */
const SHOWN = [
  ['Flat 2, bedroom: room sensor', 'room-temperature'],
  ['Flat 2, bedroom: room sensor', 'co2-concentration'],
  ['Flat 2, bedroom: thermostat', 'room-setpoint'],
  ['Weather station', 'outdoor-temperature'],
] as const

/** One that the house takes, and one that it refuses with a reason. */
const SETPOINTS = [
  ['Flat 2, bedroom: thermostat', 'room-setpoint', 19.5],
  ['Heat pump', 'heat-pump-mode', 'cooling'],
] as const

/** The last words of the demo; on its first run it also sets something, which the houses then answer. */
export async function whereToLook(url: string, context: Context): Promise<string> {
  const { request } = await connect({}, context, progressOn(context.io))
  const { systems, setpoints } = await request<Found>(FIND, {})
  const components = await Promise.all(systems.nodes.map(({ uuid }) => componentsOf(request, uuid)))
  if (setpoints.nodes.length === 0) await set(request, components)
  const [first] = systems.nodes
  const password = readCredentials(context.io.env['HOLDFAST_DATA_DIR'] ?? '')?.password
  const analyse =
    first === undefined ? [] : [`  ${first.name}: ${analyseAddress(url, first.uuid, components[0] ?? [])}`]
  return [
    '',
    `The platform and its console are at ${url}`,
    `  sign in as operator, password ${password}`,
    ...analyse,
    '',
    'To paste into another terminal, here:',
    '  npm run plan -- --data-dir .holdfast-demo       # change a line in models/ before',
    '  npm run apply -- --data-dir .holdfast-demo',
    '  npm run history -- --data-dir .holdfast-demo',
    '  npm run --silent export -- --data-dir .holdfast-demo',
    '',
    'Ctrl-C ends it; the next demo continues where this one ended.',
    '',
  ].join('\n')
}

interface Found {
  readonly systems: { readonly nodes: readonly Named[] }
  readonly setpoints: { readonly nodes: readonly unknown[] }
}

async function componentsOf(request: GraphqlClient, system: string): Promise<readonly Component[]> {
  const { components } = await request<{ components: { nodes: Component[] } }>(FIND_COMPONENTS, { system })
  return components.nodes
}

interface Place {
  readonly component: string
  readonly service: string
  readonly characteristic: string
}

function placeOf(components: readonly Component[], name: string, characteristic: string): Place | undefined {
  const component = components.find((one) => one.name === name)
  const service = component?.supports.find((one) => one.characteristic === characteristic)?.service
  return component === undefined || service === undefined
    ? undefined
    : { component: component.uuid, service, characteristic }
}

/** In the last house that has each. */
async function set(request: GraphqlClient, houses: readonly (readonly Component[])[]): Promise<void> {
  const wanted = SETPOINTS.flatMap(([name, characteristic, value]) => {
    const places = houses.flatMap((components) => placeOf(components, name, characteristic) ?? [])
    return places.slice(-1).map((place) => ({ ...place, value }))
  })
  if (wanted.length > 0) await request(SET, { components: wanted })
}

function analyseAddress(url: string, system: string, components: readonly Component[]): string {
  const address = new URL(`/systems/${system}/analyse`, url)
  for (const [name, characteristic] of SHOWN) {
    const place = placeOf(components, name, characteristic)
    if (place !== undefined)
      address.searchParams.append('show', `${place.component}/${place.service}/${characteristic}`)
  }
  address.searchParams.set('window', '7d')
  return address.href
}
