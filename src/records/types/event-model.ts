import { literalType } from '../../lib/type-text.ts'
import { declareRecordType, type RecordBody } from '../record-type.ts'

export const eventModel = declareRecordType({
  name: 'eventModels',
  definition: 'EventModel',
  identity: ['code'],
  metadataEntity: () => 'EVENT_MODEL',
  restatesEvents,
  clientFields: (body) =>
    new Map((['entityType', 'eventLevel', 'eventType'] as const).map((field) => [field, literalType(body[field])])),
})

function restatesEvents(before: RecordBody, after: RecordBody): string | null {
  const [was, becomes] = [String(before['entityType']), String(after['entityType'])]
  const losesEnds = before['eventType'] === 'RANGED' && after['eventType'] === 'SINGLE_POINT'
  const how = [
    ...(losesEnds ? ['eventType RANGED → SINGLE_POINT: the ends of earlier events are no longer shown'] : []),
    ...(was === becomes
      ? []
      : [`entityType ${was} → ${becomes}: earlier events stay events of a ${was.toLowerCase()}`]),
  ]
  return how.length === 0 ? null : how.join('; ')
}
