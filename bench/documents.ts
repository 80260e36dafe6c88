import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import type { Characteristic } from '../generated/import-document.ts'

// Import documents of any size, the same every time: characteristics with 14 fields each, about 310 bytes of JSON.

export interface BenchDocument {
  readonly characteristics: readonly Characteristic[]
}

const DATA_TYPES = ['FLOAT', 'INTEGER', 'SELECT', 'BOOLEAN', 'STRING'] as const

export function makeDocument(count: number): BenchDocument {
  return { characteristics: Array.from({ length: count }, (_, index) => makeCharacteristic(index)) }
}

function makeCharacteristic(index: number): Characteristic {
  const dataType = DATA_TYPES[index % DATA_TYPES.length] ?? 'FLOAT'
  const isNumber = dataType === 'FLOAT' || dataType === 'INTEGER'
  return {
    code: `characteristic-${String(index).padStart(7, '0')}`,
    name: `Characteristic ${index}`,
    description: `Measured in room ${index % 977}`,
    status: index % 50 === 0 ? 'ARCHIVED' : 'ACTIVATED',
    characteristicType: index % 3 === 0 ? 'SETTING' : 'MEASUREMENT',
    dataType,
    symbol: isNumber ? '°C' : null,
    multiple: false,
    options: dataType === 'SELECT' ? ['auto', 'on', 'off'].map((key) => ({ key, label: `Mode ${key}`, meta: [] })) : [],
    boundaryMin: isNumber ? -20 : null,
    boundaryMax: isNumber ? 100 + (index % 7) : null,
    boundaryStep: isNumber ? 1 : null,
    precision: dataType === 'FLOAT' ? 2 : null,
    metadataKeyValueStore: [{ key: 'asset', value: { integer: index } }],
  }
}

/** The same document with one record in a hundred renamed. */
export function withChanges({ characteristics }: BenchDocument): BenchDocument {
  return { characteristics: characteristics.map((record, index) => (index % 100 === 50 ? renamed(record) : record)) }
}

function renamed(record: Characteristic): Characteristic {
  return { ...record, name: `${record.name}, renamed` }
}

/** How a document is laid out as files. */
export type Layout = 'JSON' | 'YAML'

/** Records in one file of a directory of YAML files: 5,000 files for 100,000 records. */
const RECORDS_PER_FILE = 20

export function writeModels(directory: string, { characteristics }: BenchDocument, layout: Layout): void {
  mkdirSync(directory, { recursive: true })
  if (layout === 'JSON') {
    writeFileSync(join(directory, 'models.json'), JSON.stringify({ characteristics }))
    return
  }
  for (let start = 0; start < characteristics.length; start += RECORDS_PER_FILE) {
    const part = { characteristics: characteristics.slice(start, start + RECORDS_PER_FILE) }
    writeFileSync(join(directory, `${String(start).padStart(7, '0')}.yaml`), dump(part))
  }
}
