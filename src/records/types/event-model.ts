import type { EventModel } from '../../../generated/import-document.ts'
import { declareRecordType } from '../record-type.ts'

export const eventModel = declareRecordType<EventModel>({
  name: 'eventModels',
  definition: 'EventModel',
  identity: ['code'],
  metadataEntity: () => 'EVENT_MODEL',
})
