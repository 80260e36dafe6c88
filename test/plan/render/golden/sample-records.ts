import type { JsonObject } from '../../../../src/lib/json.ts'

export const temperature = (code: string, more: JsonObject = {}): JsonObject => ({
  code,
  name: 'Room temperature',
  characteristicType: 'MEASUREMENT',
  dataType: 'FLOAT',
  status: 'ACTIVATED',
  multiple: false,
  symbol: '°C',
  ...more,
})

export const mode: JsonObject = {
  code: 'heat-pump-mode',
  name: 'Mode',
  characteristicType: 'SETTING',
  dataType: 'SELECT',
  status: 'ACTIVATED',
  multiple: false,
  options: [
    { key: 'auto', label: 'Auto', meta: [] },
    { key: 'heating', label: 'Heating only', meta: [] },
    { key: 'off', label: 'Off', meta: [] },
  ],
}

export const curve = (maximum: number): JsonObject => ({
  code: 'heating-curve',
  name: 'Heating curve',
  characteristicType: 'SETTING',
  dataType: 'JSON',
  status: 'ACTIVATED',
  multiple: false,
  schema: {
    type: 'array',
    items: {
      type: 'object',
      required: ['outdoor', 'flow'],
      properties: { flow: { type: 'number', minimum: 20, maximum } },
    },
  },
})

export const link = (characteristicCode: string, serviceCode: string): JsonObject => ({
  characteristicCode,
  serviceCode,
})
export const machine = (username: string, status = 'ACTIVATED'): JsonObject => ({ username, status })
export const drift = { actor: 'ada.lindner@lindenhof.example', at: '2026-02-03T14:05:09Z' }
export const heating = 'models/heating.yaml'
