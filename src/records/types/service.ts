import type { Service } from '../../../generated/import-document.ts'
import { declareRecordType } from '../record-type.ts'

export const service = declareRecordType<Service>({
  name: 'services',
  definition: 'Service',
  identity: ['code'],
  metadataEntity: () => 'SERVICE',
  embedded: [
    {
      field: 'characteristics',
      into: 'characteristicServiceLinks',
      ownerField: 'serviceCode',
      toRecord: (owner, { code, ...link }) => ({
        ...link,
        characteristicCode: code ?? null,
        serviceCode: owner['code'] ?? null,
      }),
    },
  ],
})
