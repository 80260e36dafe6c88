import { declareRecordType } from '../record-type.ts'

export const eventModel = declareRecordType({
  name: 'eventModels',
  definition: 'EventModel',
  identity: ['code'],
  metadataEntity: () => 'EVENT_MODEL',
})
