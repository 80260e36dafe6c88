import { slug } from './codes.ts'
import type { DeviceDefinition } from './definitions.ts'
import type { Organization } from './document.ts'

interface Sale {
  readonly vendor: string
  readonly module: string
}

/** One organization for every spelling of a vendor's name; its units are the files that define its devices. */
export function organizationsOf(definitions: readonly DeviceDefinition[]): Organization[] {
  return [...Map.groupBy(definitions.flatMap(salesOf), ({ vendor }) => vendor)].map(([vendor, sales]) => ({
    name: vendor,
    alias: slug(vendor),
    metadataKeyValueStore: [{ key: 'model-count', value: { integer: sales.length } }],
    organizationUnits: [...new Set(sales.map(({ module }) => module))].map((module) => ({
      name: `Devices in ${module}`,
      alias: module,
    })),
  }))
}

function salesOf({ vendor, module, whiteLabel }: DeviceDefinition): Sale[] {
  const resellers = (whiteLabel ?? []).map((label) => ({ vendor: label.vendor ?? vendor, module }))
  return [{ vendor, module }, ...resellers]
}
