import { declareRecordType } from '../record-type.ts'

export const characteristicServiceLink = declareRecordType({
  name: 'characteristicServiceLinks',
  definition: 'CharacteristicServiceLink',
  identity: ['characteristicCode', 'serviceCode'],
  references: [
    { path: ['characteristicCode'], type: 'characteristics', owner: true },
    { path: ['serviceCode'], type: 'services', owner: true },
  ],
  dataOfDeleted: 'stays',
})
