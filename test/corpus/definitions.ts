import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** An expose or option of a device: the fields of zigbee-herdsman-converters' `lib/exposes` that the corpus reads. */
export interface Feature {
  readonly type: string
  readonly name?: string
  readonly label?: string
  readonly property?: string
  readonly description?: string
  readonly access?: number
  readonly category?: 'config' | 'diagnostic'
  readonly unit?: string
  readonly value_min?: number
  readonly value_max?: number
  readonly value_step?: number
  readonly value_on?: string | boolean
  readonly value_off?: string | boolean
  readonly value_toggle?: string
  readonly values?: readonly (string | number)[]
  readonly features?: readonly Feature[]
  readonly item_type?: Feature
  readonly length_min?: number
  readonly length_max?: number
}

interface WhiteLabel {
  readonly vendor?: string
  readonly model: string
  readonly description?: string
}

interface Fingerprint {
  readonly modelID?: string
  readonly manufacturerName?: string
}

interface PreparedDefinition extends Required<WhiteLabel> {
  readonly whiteLabel?: readonly WhiteLabel[]
  readonly zigbeeModel?: readonly string[]
  readonly fingerprint?: readonly Fingerprint[]
  readonly ota?: unknown
  readonly options: readonly Feature[]
  readonly exposes: readonly Feature[] | ((device: { isDummyDevice: true }, options: object) => readonly Feature[])
}

/** One device as plain data, all functions resolved. */
export interface DeviceDefinition extends Omit<PreparedDefinition, 'exposes'> {
  /** The file of the package that defines it, without ending. */
  readonly module: string
  readonly exposes: readonly Feature[]
}

interface Converters {
  prepareDefinition(definition: unknown): PreparedDefinition
  setLogger(logger: { [level in 'debug' | 'info' | 'warning' | 'error']: () => void }): void
}

const PACKAGES = {
  current: 'zigbee-herdsman-converters',
  previous: 'zigbee-herdsman-converters-previous',
} as const

export type CorpusVersion = keyof typeof PACKAGES

const ignore = (): void => {}

const require = createRequire(import.meta.url)

/** Every device that the installed package knows, in the order of its files; those whose set-up throws are left out. */
export function loadDefinitions(version: CorpusVersion): DeviceDefinition[] {
  const name = PACKAGES[version]
  const converters = require(name) as Converters
  converters.setLogger({ debug: ignore, info: ignore, warning: ignore, error: ignore })
  return moduleNames(name).flatMap((module) => {
    const { definitions } = require(`${name}/devices/${module}`) as { definitions?: readonly unknown[] }
    return (definitions ?? []).flatMap((definition) => resolve(converters, module, definition) ?? [])
  })
}

function moduleNames(packageName: string): string[] {
  const root = dirname(require.resolve(`${packageName}/package.json`))
  const files = readdirSync(join(root, 'dist', 'devices')).filter((file) => file.endsWith('.js'))
  return files.map((file) => file.slice(0, -'.js'.length)).sort()
}

function resolve(converters: Converters, module: string, source: unknown): DeviceDefinition | undefined {
  try {
    const prepared = converters.prepareDefinition(source)
    const { exposes } = prepared
    // The package's own way to ask for the exposes of a device that nobody has at hand.
    return {
      ...prepared,
      module,
      exposes: typeof exposes === 'function' ? exposes({ isDummyDevice: true }, {}) : exposes,
    }
  } catch {
    return undefined
  }
}
