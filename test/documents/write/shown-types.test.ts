import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readDocument } from '../../../src/documents/read/read-document.ts'
import { clientTypes } from '../../../src/documents/write/client-types.ts'
import { blocks } from '../../end-to-end/markdown.ts'

const SHOWN = {
  characteristics: [
    {
      code: 'room-temperature',
      name: 'Room temperature',
      characteristicType: 'MEASUREMENT',
      dataType: 'FLOAT',
      symbol: '°C',
      boundaryMin: -20,
      boundaryMax: 60,
      boundaryStep: 0.1,
    },
    {
      code: 'mode',
      name: 'Mode',
      characteristicType: 'SETTING',
      dataType: 'SELECT',
      options: ['comfort', 'eco'].map((key) => ({ key, label: key })),
    },
  ],
  services: [
    { code: 'room-control', name: '', characteristics: [{ code: 'room-temperature' }, { code: 'mode' }] },
    { code: 'diagnostics', name: '', characteristics: [] },
  ],
  componentModels: [
    {
      code: 'room-thermostat',
      name: 'Room thermostat',
      componentType: 'DEVICE',
      services: [{ code: 'room-control' }, { code: 'diagnostics' }],
    },
  ],
  eventModels: [{ code: 'window-open', eventType: 'RANGED', entityType: 'COMPONENT' }],
  metadataTypes: [{ key: 'serial', entityType: 'COMPONENT', dataType: 'STRING' }],
}

test('the documentation shows lines of the types as they are written, in their order', () => {
  const { text } = clientTypes(readDocument(SHOWN).snapshot)
  const [shown = ''] = blocks(readFileSync('docs/models.md', 'utf8'), 'ts')
  const lines = text.split('\n').filter((line) => shown.split('\n').includes(line))
  expect(lines.join('\n').trim()).toBe(shown.trim())
})
